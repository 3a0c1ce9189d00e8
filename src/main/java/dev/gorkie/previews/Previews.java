package dev.gorkie.previews;

import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.Listing;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Pressed;
import dev.gorkie.slack.Replies;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/// Shows that something listens, and lets those look who want to.
@ApplicationScoped
public class Previews {

  private static final Logger LOG = Logger.getLogger(Previews.class);

  private static final String ID = "port-";
  // Below it only root may listen, and nobody is root there.
  private static final int PORT_MIN = 1_024;
  private static final int PORT_MAX = 65_535;
  // Daytona's own: the toolbox, the terminal in a browser, the recorder, and the shell over SSH.
  private static final Set<Integer> NOT_OURS = Set.of(2_280, 22_222, 33_333, 22_220);
  // Whoever opens it has opened it by then; what a page loads after that has a cookie.
  private static final Duration LASTS = Duration.ofMinutes(10);
  private static final Duration LISTENS_WITHIN = Duration.ofSeconds(5);

  private static final String NOT_FOR_YOU =
      "Only whoever can read this conversation can look at that.";
  private static final String ASLEEP =
      "The computer of this conversation sleeps, and what ran there has ended. Ask me to start it"
          + " again.";
  private static final String NOTHING_LISTENS =
      "Nothing listens on port %d there now. Ask me to start it again.";
  private static final String LOOK =
      "Port %d of this conversation's computer, for you and for the next %d minutes: %s";
  private static final String NOT_NOW =
      "I could not get an address for it just now. Try again in a moment.";

  private final Database database;
  private final Sessions sessions;
  private final Sandboxes sandboxes;
  private final Conversations conversations;
  private final Replies replies;

  @Inject
  Previews(
      Database database,
      Sessions sessions,
      Sandboxes sandboxes,
      Conversations conversations,
      Replies replies) {
    this.database = database;
    this.sessions = sessions;
    this.sandboxes = sandboxes;
    this.conversations = conversations;
    this.replies = replies;
  }

  /// Empty for what is no port of a program's.
  public static Optional<Integer> port(String written) {
    return Optional.of(written)
        .filter(it -> it.matches("[0-9]{4,5}"))
        .map(Integer::parseInt)
        .filter(it -> it >= PORT_MIN && it <= PORT_MAX && !NOT_OURS.contains(it));
  }

  /// Whether something listens there, from within.
  public boolean isListening(Sandbox sandbox, int port) {
    return sandbox
            .execute("timeout 2 bash -c ': </dev/tcp/127.0.0.1/%d'".formatted(port), LISTENS_WITHIN)
            .exitCode()
        == 0;
  }

  /// Says in the conversation that there is something to look at, with a button for it.
  ///
  /// @param wish by which it is known; said once however often it is asked for
  public void show(MessageEvent asking, String wish, int port, String title)
      throws InterruptedException {
    var subject = ID + wish;
    var line =
        new Listing.Line(
            "%s · port %d".formatted(title, port),
            Optional.of(Pressed.Action.OPEN_PORT),
            ID + port);
    database.transaction(
        () -> {
          replies.note(
              asking.address(),
              subject,
              new Listing("Something runs here to look at:", List.of(line)));
          return true;
        });
    replies.say(subject);
  }

  /// What the one who has pressed the button reads, and nobody else.
  public String open(Pressed pressed) throws InterruptedException {
    var port = port(pressed.id().replace(ID, ""));
    if (port.isEmpty() || !isReader(pressed)) {
      return NOT_FOR_YOU;
    }
    try {
      var sandbox = sessions.sandbox(thread(pressed));
      return sandbox.isPresent()
              && sandboxes.find(sandbox.get()) instanceof Found.Running(var machine)
          ? look(machine, port.get())
          : ASLEEP;
    } catch (Failure failure) {
      LOG.warnf("No address for a port: %s", failure.getMessage());
      return NOT_NOW;
    }
  }

  private String look(Sandbox machine, int port) throws InterruptedException {
    if (!isListening(machine, port)) {
      return NOTHING_LISTENS.formatted(port);
    }
    var address = sandboxes.preview(machine.id(), port, LASTS);
    sandboxes.keepAwake(machine.id());
    return LOOK.formatted(port, LASTS.toMinutes(), address);
  }

  private boolean isReader(Pressed pressed) {
    return pressed.channel().startsWith("D")
        || conversations.isReadBy(pressed.team(), pressed.channel(), pressed.user());
  }

  /// The one in which the button stands: what it carries says no more than which port.
  private static ThreadKey thread(Pressed pressed) {
    return pressed.channel().startsWith("D")
        ? ThreadKey.direct(pressed.team(), pressed.user())
        : new ThreadKey(pressed.team(), pressed.channel(), pressed.threadTs());
  }
}
