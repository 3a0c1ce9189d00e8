package dev.gorkie.ingress;

import dev.gorkie.settings.Role;
import dev.gorkie.slack.SlackEvent;
import dev.gorkie.slack.Socket;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;

/// The other way for Slack's requests, for a server that nobody can reach from outside: over a connection that it opened itself.
@ApplicationScoped
class SocketDoor {

  // When everything that takes a delivery is there.
  private static final int LAST = Interceptor.Priority.LIBRARY_AFTER;
  private static final int FIRST = Interceptor.Priority.PLATFORM_BEFORE;

  private final Socket socket;
  private final Reception reception;
  private final Role role;

  @Inject
  SocketDoor(Socket socket, Reception reception, Role role) {
    this.socket = socket;
    this.reception = reception;
    this.role = role;
  }

  void open(@Observes @Priority(LAST) StartupEvent start) {
    if (role == Role.SERVER && socket.isWanted()) {
      Thread.ofVirtual().name("slack-socket").start(this::listen);
    }
  }

  private void listen() {
    try {
      socket.listen(this::takes);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean takes(byte[] body) {
    return switch (reception.receive(SlackEvent.read(body), body)) {
      // What is malformed is so the next time, too.
      case Reception.Reply.Taken(), Reception.Reply.Challenge(_), Reception.Reply.Malformed(_) ->
          true;
      case Reception.Reply.Busy() -> false;
    };
  }

  /// Before the work is left: what comes from then on the next process takes.
  void close(@Observes @Priority(FIRST) ShutdownEvent end) {
    socket.close();
  }
}
