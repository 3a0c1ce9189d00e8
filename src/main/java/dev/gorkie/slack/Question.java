package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gorkie.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// A question to the people of a thread with two buttons, which ends as a sentence without any. Like a card it is one message
/// that is edited, and whoever finds it unfinished finishes it.
public final class Question {

  private static final Logger LOG = Logger.getLogger(Question.class);
  private static final int SHOWN_CHARACTERS_MAX = 2_500;

  // What is left of it then the sweep ends.
  private static final Duration CLOSING_MAX = Duration.ofSeconds(5);

  private final Ledger ledger;
  private final Line line;
  private final Delivery delivery;
  private final Speaker speaker;
  private final Deadline deadline;
  private final Asked asked;

  /// @param id what the buttons carry
  /// @param title what is asked, in a sentence
  /// @param shown what it is about, character for character
  /// @param more how many characters of it are not in there
  public record Asked(String id, String title, String shown, long more) {}

  Question(
      Ledger ledger,
      Line line,
      Delivery delivery,
      Speaker speaker,
      Deadline deadline,
      Asked asked) {
    this.ledger = ledger;
    this.line = line;
    this.delivery = delivery;
    this.speaker = speaker;
    this.deadline = deadline;
    this.asked = asked;
  }

  /// Puts it into the thread, once. False when there is no time or no way.
  public boolean ask() throws InterruptedException {
    ledger.takeOver();
    var patience = new Patience(deadline, line);
    var content = open();
    while (true) {
      var row = ledger.put(Delivery.CARD_THING);
      switch (speaker.say(row, content, content.simpler(), Urgency.ANSWER)) {
        case Step.There _ -> {
          return true;
        }
        case Step.NotNow(var pause) -> {
          if (!patience.waits(pause)) {
            return false;
          }
        }
        case Step.Refused(var error) -> {
          LOG.warnf("Slack does not take question %s: %s", asked.id(), error);
          return false;
        }
        case Step.Unsure(var why) -> {
          LOG.warnf("Nobody can tell whether question %s is there: %s", asked.id(), why);
          ledger.unsure(row);
          return false;
        }
      }
    }
  }

  /// Writes down what it ends as. Only inside a transaction of the caller's.
  public void decide(String outcome) {
    ledger.noteEndOfCard(ended(outcome));
  }

  /// The same in a transaction of its own, where this is still to be said.
  public void decide(BooleanSupplier isToBeSaid, String outcome) {
    ledger.takeOver();
    ledger.together(
        () -> {
          if (isToBeSaid.getAsBoolean()) {
            decide(outcome);
          }
        });
  }

  /// Takes the buttons away.
  public void close() throws InterruptedException {
    ledger.takeOver();
    delivery.finishCard(Optional.empty(), new Patience(deadline.within(CLOSING_MAX), line));
  }

  private Content open() {
    var blocks = shown(asked.title());
    var buttons = blocks.addObject().put("type", "actions").putArray("elements");
    button(buttons, Click.ALLOW, "Allow", "primary");
    button(buttons, Click.REFUSE, "Don't allow", "danger");
    return new Content(Content.notice(asked.title()), blocks);
  }

  private void button(ArrayNode buttons, String action, String label, String style) {
    buttons
        .addObject()
        .put("type", "button")
        .put("action_id", action)
        .put("value", asked.id())
        .put("style", style)
        .putObject("text")
        .put("type", "plain_text")
        .put("text", label);
  }

  private Content ended(String outcome) {
    var blocks = shown(asked.title());
    blocks
        .addObject()
        .put("type", "context")
        .putArray("elements")
        .addObject()
        .put("type", "plain_text")
        .put("text", SafeText.line(outcome, 300));
    return new Content(Content.notice(outcome), blocks);
  }

  /// Whoever decides on it sees that something is missing, and how much.
  private String shownWhole() {
    var shown = SafeText.visible(asked.shown());
    var cut = SafeText.clamp(shown, SHOWN_CHARACTERS_MAX);
    var missing = asked.more() + shown.length() - cut.length();
    return missing > 0 ? cut + "\n(%d more characters are not shown)".formatted(missing) : cut;
  }

  /// Preformatted text is shown as it is: nothing in it is a link or a mention.
  private ArrayNode shown(String title) {
    var blocks = JsonNodeFactory.instance.arrayNode();
    blocks
        .addObject()
        .put("type", "section")
        .putObject("text")
        .put("type", "plain_text")
        .put("text", title);
    if (asked.shown().isBlank()) {
      return blocks;
    }
    blocks
        .addObject()
        .put("type", "rich_text")
        .putArray("elements")
        .addObject()
        .put("type", "rich_text_preformatted")
        .putArray("elements")
        .addObject()
        .put("type", "text")
        .put("text", shownWhole());
    return blocks;
  }
}
