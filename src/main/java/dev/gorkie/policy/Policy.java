package dev.gorkie.policy;

import dev.gorkie.Failure;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.policy.Rules.Where;
import dev.gorkie.policy.Rules.Who;
import dev.gorkie.policy.Verdict.Enough;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.People;
import dev.gorkie.slack.SlackEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Who may have us do what, whichever way it was said.
@ApplicationScoped
public class Policy {

  private static final String ENOUGH_IN_A_ROW =
      "Programs have asked me here %d times without a person in between, so I stop answering them."
          + " When a person writes to me here, I go on.";
  private static final String ENOUGH_IN_AN_HOUR =
      "This program has asked me %d times within an hour, so I stop answering it. It can go on in"
          + " an hour; whoever runs Gorkie can raise the limit.";

  private static final String ENOUGH_AT_ONCE =
      "You have me at work on %d things at once, or more messages wait here than I can take in. I"
          + " begin with nothing else for you until one of them is done: please send this again"
          + " then. I say so once.";

  private final Rules rules;
  private final Preferences preferences;
  private final Inbox inbox;
  private final People people;
  private final Members members;
  private final Set<String> programs;
  private final int inARow;
  private final int inAnHour;
  private final int atOnce;

  /// What the operator sets of programs.
  @ConfigMapping(prefix = "gorkie.programs")
  interface Programs {

    /// Ids of apps, bots or bot users that are answered when they mention us; none unless set.
    Optional<List<String>> answered();

    /// How often programs may ask in a thread while no person does. A question, an answer and two more of each are a conversation;
    /// what goes on longer is two programs that keep each other busy.
    @WithDefault("5")
    int inARow();

    /// How often one program may ask in an hour, in however many threads.
    @WithDefault("20")
    int inAnHour();
  }

  /// What the operator sets of people. Ids may have their workspace before them.
  @ConfigMapping(prefix = "gorkie.people")
  interface Persons {

    /// Whom alone we work for; for everybody where nobody is named.
    Optional<List<String>> allowed();

    /// Whom we do not work for.
    Optional<List<String>> denied();

    /// Whether guests are answered. They were let into some channels, and cost as much as others.
    @WithDefault("false")
    boolean guests();

    /// The channel whose members we work for, and nobody else; everybody joins it by oneself.
    Optional<String> optIn();

    /// In how many conversations we are at work for one person at once, or have work waiting: half as many as a workspace may have.
    @WithDefault("10")
    int atOnce();

    /// How long somebody who has just joined it may have to wait.
    @WithDefault("5s")
    Duration joinedWithin();
  }

  /// The same of channels; `direct` stands for all direct conversations.
  @ConfigMapping(prefix = "gorkie.channels")
  interface Channels {
    Optional<List<String>> allowed();

    Optional<List<String>> denied();
  }

  @Inject
  Policy(
      Preferences preferences,
      Inbox inbox,
      People people,
      Members members,
      Programs programs,
      Persons persons,
      Channels channels) {
    this.rules =
        new Rules(
            Listed.of(persons.allowed(), persons.denied()),
            Listed.of(channels.allowed(), channels.denied()),
            persons.guests(),
            preferences.areStrangersAnswered());
    this.preferences = preferences;
    this.inbox = inbox;
    this.people = people;
    this.members = members;
    this.programs = Set.copyOf(programs.answered().orElse(List.of()));
    this.inARow = programs.inARow();
    this.inAnHour = programs.inAnHour();
    this.atOnce = persons.atOnce();
  }

  /// Whether what somebody wants by this is to be done. What nobody in particular wants is.
  public Verdict on(SlackEvent event) {
    return Wanted.by(event).map(this::on).orElse(Verdict.ALLOWED);
  }

  private Verdict on(Wanted wanted) {
    var verdict = rules.decide(wanted.way(), wanted.act(), who(wanted), wanted.where());
    if (!verdict.isAllowed() || wanted.act() != Act.START || wanted.message().isEmpty()) {
      return verdict;
    }
    var message = wanted.message().get();
    return message.isPrograms() ? often(message) : atOnce(message);
  }

  private Who who(Wanted wanted) {
    var team = wanted.where().team();
    return new Who(
        team,
        wanted.user(),
        standing(wanted),
        members.isIn(team, wanted.user(), wanted.isPrograms()));
  }

  private Standing standing(Wanted wanted) {
    if (wanted.message().filter(MessageEvent::isPrograms).isPresent()) {
      var ids = wanted.message().get().program();
      return ids.stream().anyMatch(programs::contains)
          ? Standing.PROGRAM
          : Standing.UNKNOWN_PROGRAM;
    }
    // What others say among themselves is none of our business, and no reason to ask Slack who they
    // are.
    if (wanted.act() == Act.WITHDRAW
        || wanted.message().filter(it -> !inbox.concerns(it)).isPresent()) {
      return Standing.UNTOLD;
    }
    return wanted.message().filter(MessageEvent::stranger).isPresent()
        ? Standing.STRANGER
        : people
            .kind(wanted.where().team(), wanted.user())
            .map(Policy::standing)
            .orElseGet(() -> untold(wanted));
  }

  /// Where guests are not answered nothing begins for somebody who may be one. Slack goes on being asked, and delivers again.
  private Standing untold(Wanted wanted) {
    if (wanted.act() == Act.START && !rules.guests()) {
      throw new IllegalStateException("Slack did not tell in time who has written");
    }
    return Standing.UNTOLD;
  }

  private static Standing standing(People.Kind kind) {
    return switch (kind) {
      case MEMBER -> Standing.MEMBER;
      case GUEST -> Standing.GUEST;
      case STRANGER -> Standing.STRANGER;
      case PROGRAM -> Standing.UNKNOWN_PROGRAM;
      case GONE -> Standing.GONE;
    };
  }

  /// One person is not to keep everybody else from being answered. Of those that come in the same moment some more may get in.
  private Verdict atOnce(MessageEvent event) {
    if (!inbox.concerns(event)) {
      return Verdict.ALLOWED;
    }
    var underWay = inbox.underWay(event);
    return underWay.isMoreThan(atOnce)
        ? new Enough(underWay.since(), ENOUGH_AT_ONCE.formatted(underWay.threads()))
        : Verdict.ALLOWED;
  }

  /// Two programs could keep each other busy for ever.
  private Verdict often(MessageEvent event) {
    var here = inbox.programsBefore(event);
    if (here.times() >= inARow) {
      return new Enough(here.last(), ENOUGH_IN_A_ROW.formatted(inARow));
    }
    var heard = inbox.heardBefore(event);
    return heard.times() >= inAnHour
        ? new Enough(heard.last(), ENOUGH_IN_AN_HOUR.formatted(inAnHour))
        : Verdict.ALLOWED;
  }

  /// Whether what somebody has planned is still to be done: whoever may not ask any more has not planned it either.
  ///
  /// @throws Failure where Slack does not tell who that is
  public boolean mayGoOn(String team, String user, String channel, boolean direct) {
    var standing = standing(people.kindForSure(team, user));
    return rules
        .decide(
            Way.LATER,
            Act.START,
            new Who(team, user, standing, members.isIn(team, user, false)),
            new Where(team, channel, direct))
        .isAllowed();
  }

  /// Whether something may be read for this person that was not written or shown here. Asked of Slack anew each time.
  public boolean mayRead(String team, String user, String channel) {
    var standing =
        people
            .profile(team, user)
            .map(
                who ->
                    who.guest() ? Standing.GUEST : who.bot() ? Standing.PROGRAM : Standing.MEMBER)
            .orElse(Standing.UNTOLD);
    return rules
        .decide(
            Way.MENTION,
            Act.READ,
            new Who(team, user, standing, true),
            new Where(team, channel, channel.startsWith("D")))
        .isAllowed();
  }

  /// The channel in which people have to be, for a sentence; empty text where there is none.
  public String optInChannel(String team) {
    return members.name(team);
  }

  /// What somebody may do that counts for others, too.
  ///
  /// @param member belongs to the workspace, and may choose for a channel
  /// @param loosens may let us do more than others have chosen
  /// @param everywhere may choose for the whole workspace
  public record Rights(boolean member, boolean loosens, boolean everywhere) {

    public static final Rights NONE = new Rights(false, false, false);
  }

  /// Whom the operator has named may do everything; where nobody is named, members loosen, and the workspace's own admins choose for
  /// all of it.
  public Rights rights(String team, String user) {
    if (preferences.isNamedAdmin(team, user)) {
      return new Rights(true, true, true);
    }
    var who = people.profile(team, user).filter(it -> !it.guest() && !it.bot());
    var isNobodyNamed = !preferences.areAdminsNamed();
    return new Rights(
        who.isPresent(),
        who.isPresent() && isNobodyNamed,
        isNobodyNamed && who.filter(People.Profile::admin).isPresent());
  }
}
