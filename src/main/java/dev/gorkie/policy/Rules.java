package dev.gorkie.policy;

import dev.gorkie.policy.Verdict.Refused;
import dev.gorkie.policy.Verdict.Why;
import java.util.Optional;

/// The whole of what is allowed, as one table with no look at anything outside.
record Rules(Listed people, Listed channels, boolean guests, boolean strangers) {

  /// What stands in a list for all direct conversations.
  static final String DIRECT = "direct";

  /// Somebody who wants something.
  ///
  /// @param optedIn whether the person is in the channel that makes people ours; where there is none everybody is
  record Who(String team, String user, Standing standing, boolean optedIn) {}

  /// @param channel its id; direct conversations have one each
  record Where(String team, String channel, boolean direct) {}

  Verdict decide(Way way, Act act, Who who, Where where) {
    return why(way, act, who, where).<Verdict>map(Refused::new).orElse(Verdict.ALLOWED);
  }

  private Optional<Why> why(Way way, Act act, Who who, Where where) {
    if (!way.leadsTo(act)) {
      return Optional.of(Why.NOT_SO);
    }
    if (act == Act.WITHDRAW) {
      // It takes work away and gives none.
      return Optional.empty();
    }
    return ofPlace(way, where)
        .or(() -> ofList(who))
        .or(() -> ofStanding(act, who.standing()))
        .or(() -> who.optedIn() ? Optional.empty() : Optional.of(Why.NOT_OPTED_IN));
  }

  private Optional<Why> ofPlace(Way way, Where where) {
    // Our page is in no channel.
    return way == Way.HOME || channels.has(where.team(), where.direct() ? DIRECT : where.channel())
        ? Optional.empty()
        : Optional.of(Why.PLACE);
  }

  private Optional<Why> ofList(Who who) {
    if (people.isDenied(who.team(), who.user())) {
      return Optional.of(Why.PERSON_DENIED);
    }
    // Programs are named elsewhere.
    return who.standing() == Standing.PROGRAM || people.has(who.team(), who.user())
        ? Optional.empty()
        : Optional.of(Why.PERSON_NOT_NAMED);
  }

  private Optional<Why> ofStanding(Act act, Standing standing) {
    return switch (standing) {
      case MEMBER -> Optional.empty();
      case GONE -> Optional.of(Why.GONE);
      case UNKNOWN_PROGRAM -> Optional.of(Why.UNKNOWN_PROGRAM);
      case PROGRAM ->
          switch (act) {
            case START, STEER -> Optional.empty();
            case STOP, APPROVE, CONFIGURE, CHOOSE, READ, WITHDRAW -> Optional.of(Why.PROGRAM);
          };
      case STRANGER -> strangers ? ofOutsider(act) : Optional.of(Why.STRANGER);
      case GUEST -> guests ? ofOutsider(act) : Optional.of(Why.GUEST);
      case UNTOLD ->
          switch (act) {
            case START, STEER, STOP, CHOOSE, WITHDRAW -> Optional.empty();
            case APPROVE, CONFIGURE, READ -> Optional.of(Why.CANNOT_TELL);
          };
    };
  }

  /// What an outsider does counts for the outsider, or for nothing.
  private static Optional<Why> ofOutsider(Act act) {
    return switch (act) {
      case START, STEER, STOP, CHOOSE, WITHDRAW -> Optional.empty();
      case APPROVE, CONFIGURE, READ -> Optional.of(Why.NOT_FOR_GUESTS);
    };
  }
}
