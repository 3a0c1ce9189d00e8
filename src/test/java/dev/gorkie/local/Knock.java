package dev.gorkie.local;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// A knock at the application's door before something is said to it. Slack waits three seconds for an application that
/// is starting, or that reloads because of the very request; then it tries again after a minute, which is long for who
/// looks on.
final class Knock {

  private static final Duration LOOK_EVERY = Duration.ofMillis(300);
  private static final Duration RELOAD_MOST = Duration.ofMinutes(1);

  private final HttpClient http;
  private final PrintStream out;
  private final Duration most;

  Knock(HttpClient http, PrintStream out, Duration most) {
    this.http = http;
    this.out = out;
    this.most = most;
  }

  /// True as soon as somebody has answered, whatever that was; false when nobody does for so long.
  boolean at(URI application) throws InterruptedException {
    if (isAnswered(application)) {
      return true;
    }
    out.println("Waiting for Gorkie to listen at " + application);
    for (var begin = System.nanoTime(); !isAnswered(application); Thread.sleep(LOOK_EVERY)) {
      if (System.nanoTime() - begin > most.toNanos()) {
        out.println("Nobody does. Slack will try again for some minutes.");
        return false;
      }
    }
    return true;
  }

  private boolean isAnswered(URI application) throws InterruptedException {
    try {
      http.send(
          HttpRequest.newBuilder(application).timeout(RELOAD_MOST).build(),
          BodyHandlers.discarding());
      return true;
    } catch (ConnectException _) {
      return false;
    } catch (IOException _) {
      return true; // it is there, and in trouble
    }
  }
}
