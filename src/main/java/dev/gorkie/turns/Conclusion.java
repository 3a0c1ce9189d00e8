package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.inbox.Claim;
import dev.gorkie.logbook.Ended;
import dev.gorkie.sessions.Workspace;
import dev.gorkie.slack.Question;
import dev.gorkie.slack.Reply;
import dev.gorkie.webhook.Finished;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// How a turn ends: decided in one transaction, said after it, and only then settled. Whoever takes over in between finds what was
/// decided and says it.
final class Conclusion {

  private static final Logger LOG = Logger.getLogger(Conclusion.class);

  private final Claim claim;
  private final Turn.Rooms rooms;
  private final Deadline deadline;
  private final Reply reply;
  private final Instant begun;
  private Optional<String> outcome = Optional.empty();
  private List<Question> questions = List.of();
  private BooleanSupplier hasAsked = () -> false;
  private boolean prompted;

  /// @param begun when the turn was
  Conclusion(Claim claim, Turn.Rooms rooms, Deadline deadline, Reply reply, Instant begun) {
    this.claim = claim;
    this.rooms = rooms;
    this.deadline = deadline;
    this.reply = reply;
    this.begun = begun;
  }

  /// Whether something may be asked that nobody has answered.
  void asks(BooleanSupplier hasAskedToo) {
    var before = hasAsked;
    hasAsked = () -> before.getAsBoolean() || hasAskedToo.getAsBoolean();
  }

  /// From here on what it comes to is what became of a prompt.
  void prompted() {
    prompted = true;
  }

  /// What it has come to here, once it has.
  Optional<String> outcome() {
    return outcome;
  }

  /// From here on the turn is over, whoever says so in the thread.
  void decide(Ending ending) throws InterruptedException {
    decide(ending, () -> {});
  }

  /// So is the workspace's part in it: the next turn reads on where this one has ended.
  void decide(Ending ending, Workspace workspace) throws InterruptedException {
    decide(
        ending,
        () -> rooms.sessions().noteRest(claim.thread(), claim.fence(), workspace, ending.offset()));
  }

  /// With something else that happens when it ends, or not at all.
  void decide(Ending ending, Runnable more) throws InterruptedException {
    reply.rest();
    rooms
        .database()
        .transaction(
            () -> {
              more.run();
              note(ending);
              return true;
            });
    outcome = Optional.of(ending.outcome());
    reply.stands();
    count(ending);
  }

  /// Whoever has written it down counts it, and nobody else does.
  private void count(Ending ending) {
    rooms
        .logbook()
        .ended(
            new Ended(
                ending.outcome(),
                ending.fault(),
                prompted,
                Duration.between(begun, Instant.now()),
                ending.usage().tokens(),
                BigDecimal.valueOf(ending.usage().cost())));
  }

  private void note(Ending ending) {
    if (!rooms.rows().end(claim, ending)) {
      throw new LeaseLost(claim);
    }
    if (hasAsked.getAsBoolean()) {
      questions = Gate.end(rooms.gate(), claim, deadline);
    }
    reply.decide(ending.word());
    if (prompted) {
      rooms.webhook().note(finished(ending));
    }
  }

  private Finished finished(Ending ending) {
    var asking = claim.messages().getFirst().event();
    return new Finished(
        claim.thread(),
        asking.channel(),
        asking.rootTs(),
        asking.user(),
        claim.turn(),
        ending.outcome(),
        ending.fault().map(it -> it.name().toLowerCase(Locale.ROOT)).orElse("none"),
        Duration.between(begun, Instant.now()),
        ending.usage().steps(),
        ending.usage().tokens(),
        BigDecimal.valueOf(ending.usage().cost()));
  }

  /// False when there was no time to say everything; whoever goes on does.
  boolean settle(String outcome) throws InterruptedException {
    return say() && settleWhatIsSaid(outcome);
  }

  boolean say() throws InterruptedException {
    return reply.deliver();
  }

  /// The same where everything is said. True, for whoever asks whether the turn has come to its end.
  boolean settleWhatIsSaid(String outcome) throws InterruptedException {
    for (var question : questions) {
      question.close();
    }
    if (!claim.settle(outcome)) {
      LOG.warnf("Turn %d: settled by somebody else", claim.turn());
    }
    return true;
  }
}
