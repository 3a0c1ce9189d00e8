package dev.gorkie.commands;

import dev.gorkie.inbox.Inbox;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.People;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Who may have us do what, whichever way it was said.
@ApplicationScoped
public class Policy {

  private static final String ENOUGH_IN_A_ROW =
      "Programs have asked me here %d times without a person in between, so I stop answering them. When a person writes to me here, I go on.";
  private static final String ENOUGH_IN_AN_HOUR =
      "This program has asked me %d times within an hour, so I stop answering it. It can go on in an hour; whoever runs Gorkie can raise the"
          + " limit.";

  private final Preferences preferences;
  private final Inbox inbox;
  private final People people;
  private final Set<String> programs;
  private final int inARow;
  private final int inAnHour;

  /// What the operator sets.
  @ConfigMapping(prefix = "gorkie.programs")
  interface Rules {

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

  /// Whether a message is to be answered.
  public sealed interface Verdict {
    record May() implements Verdict {}

    /// Somebody of another company, who is told so.
    record Stranger() implements Verdict {}

    /// A program that nobody has named: nobody is there to be told.
    record Nobody() implements Verdict {}

    /// A program that has asked often enough.
    ///
    /// @param since the message that was the last to be answered
    record Enough(String since, String sentence) implements Verdict {}
  }

  @Inject
  Policy(Preferences preferences, Inbox inbox, People people, Rules rules) {
    this.preferences = preferences;
    this.inbox = inbox;
    this.people = people;
    this.programs = Set.copyOf(rules.answered().orElse(List.of()));
    this.inARow = rules.inARow();
    this.inAnHour = rules.inAnHour();
  }

  public Verdict on(MessageEvent event) {
    if (event.isPrograms()) {
      return event.program().stream().anyMatch(programs::contains)
          ? onProgram(event)
          : new Verdict.Nobody();
    }
    return event.stranger() && !preferences.areStrangersAnswered()
        ? new Verdict.Stranger()
        : new Verdict.May();
  }

  private Verdict onProgram(MessageEvent event) {
    var here = inbox.programsBefore(event);
    if (here.times() >= inARow) {
      return new Verdict.Enough(here.last(), ENOUGH_IN_A_ROW.formatted(inARow));
    }
    var heard = inbox.heardBefore(event);
    return heard.times() >= inAnHour
        ? new Verdict.Enough(heard.last(), ENOUGH_IN_AN_HOUR.formatted(inAnHour))
        : new Verdict.May();
  }

  /// What somebody may do that counts for others, too.
  ///
  /// @param member belongs to the workspace, and may choose for a channel
  /// @param loosens may let us do more than others have chosen
  /// @param everywhere may choose for the whole workspace
  record Rights(boolean member, boolean loosens, boolean everywhere) {

    static final Rights NONE = new Rights(false, false, false);
  }

  /// Whom the operator has named may do everything; where nobody is named, members loosen, and the workspace's own admins choose for
  /// all of it.
  Rights rights(String team, String user) {
    if (preferences.isNamedAdmin(user)) {
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
