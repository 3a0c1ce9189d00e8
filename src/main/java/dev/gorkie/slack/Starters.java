package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// What somebody who has come to talk with us may say first, at one click.
@ApplicationScoped
public class Starters {

  /// @param title what is to be clicked
  /// @param message what the person says with it
  record Starter(String title, String message) {}

  /// The same as in the manifest, which shows them to whoever comes before we have heard of it. Slack shows up to four.
  static final List<Starter> USUAL =
      List.of(
          new Starter("What can you do?", "What can you do here, and what may I expect of you?"),
          new Starter("Draw me a chart", "Make up a small table of numbers and draw a chart of it"),
          new Starter(
              "Show me your computer",
              "Have a look at the computer you work in. run: uname -srm; nproc; df -h ."));

  // Which channel that is we are told with the message.
  private static final Starter CHANNEL =
      new Starter(
          "Catch me up here",
          "Read the channel I have open and tell me what was said and decided lately.");

  private static final Logger LOG = Logger.getLogger(Starters.class);

  private final SlackApi api;

  Starters(SlackApi api) {
    this.api = api;
  }

  static List<Starter> of(Glance glance) {
    return glance.isAtChannel()
        ? Stream.concat(Stream.of(CHANNEL), USUAL.stream()).toList()
        : USUAL;
  }

  /// Offers them above the person's message box. Whoever comes again gets them again, so nothing is lost where this is.
  public void offer(Glance glance) {
    glance.direct().ifPresent(direct -> offer(glance, direct));
  }

  private void offer(Glance glance, String direct) {
    var prompts = JsonNodeFactory.instance.arrayNode();
    of(glance)
        .forEach(
            one -> prompts.addObject().put("title", one.title()).put("message", one.message()));
    // With a thread's name Slack does nothing and says that it did.
    var form = Map.of("channel_id", direct, "prompts", prompts.toString());
    var result =
        api.call(glance.team(), "assistant.threads.setSuggestedPrompts", form, Wire.Answer.class);
    LOG.debugf("Starters for %s: %s", glance.user(), result);
  }
}
