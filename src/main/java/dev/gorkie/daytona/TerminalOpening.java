package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.daytona.Toolbox.NewTerminal;
import dev.gorkie.sandbox.Terminal;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import okhttp3.Request;
import org.jboss.logging.Logger;

/// Makes a terminal on a machine and connects to it.
record TerminalOpening(Daytona daytona, ToolboxLine line, Deadline deadline) {

  private static final Logger LOG = Logger.getLogger(TerminalOpening.class);

  private static final Duration CALL_MOST = Duration.ofSeconds(10);
  private static final Duration ENDING_MOST = Duration.ofSeconds(5);
  private static final int COLUMNS = 220;
  private static final int ROWS = 24;
  // Anybody in the machine can read these, so they hold nothing that matters.
  private static final Map<String, String> ENVIRONMENT = Map.of("TERM", "dumb");

  Terminal inDirectory(String directory) throws InterruptedException {
    var id = UUID.randomUUID().toString();
    var asked = new NewTerminal(id, directory, ENVIRONMENT, COLUMNS, ROWS);
    var created =
        line.repeatable(
            address -> daytona.toolbox().createTerminal(address, asked), CALL_MOST, deadline);
    // Nobody else knows the id: this is our own request, made a second time by us or a proxy.
    if (!(created instanceof Refused<?>(var refusal) && refusal.status() == 409)) {
      created.orThrow("create a terminal");
    }
    try {
      return line.repeatableAttempt(until -> connect(id, until), CALL_MOST, deadline)
          .orThrow("connect to a terminal");
    } catch (Failure failure) {
      end(id);
      throw failure;
    }
  }

  private Answer<DaytonaTerminal> connect(String id, Deadline until) throws InterruptedException {
    var url = line.address() + "/process/pty/" + id + "/connect";
    var listener = new TerminalListener();
    var socket = daytona.streams().newWebSocket(new Request.Builder().url(url).build(), listener);
    var opened = listener.awaitOpening(until);
    if (!(opened instanceof Given)) {
      socket.cancel();
    }
    return opened.map(_ -> new DaytonaTerminal(socket, listener, () -> end(id)));
  }

  /// It ends what runs in the terminal. One that ended by itself is not there any more.
  private void end(String id) {
    try {
      var answer =
          line.repeatable(
              address -> daytona.toolbox().deleteTerminal(address, id),
              ENDING_MOST,
              Deadline.in(ENDING_MOST));
      LOG.debugf("terminal %s is ended: %s", id, answer);
    } catch (Failure failure) {
      LOG.infof("terminal %s is perhaps not ended: %s", id, failure.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
