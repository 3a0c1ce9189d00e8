package dev.gorkie.slack;

import dev.gorkie.Deadline;
import dev.gorkie.HoldLost;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/// The sign that somebody is at work, where Slack shows one, for as long as somebody is: it fails nothing, and nobody waits but a
/// moment for it to be gone.
final class Status {

  private static final Logger LOG = Logger.getLogger(Status.class);

  private static final String WORKING = "is working on it…";
  // Who takes it away has a thread to give back; somebody comes back to what is still there.
  private static final Duration TAKEN_AWAY_WITHIN = Duration.ofSeconds(5);
  private static final Duration AGAIN_AFTER = Duration.ofMillis(500);
  // Nobody waits for it, and where Slack is away so is everything else.
  private static final Duration CHECKED_AGAIN_AFTER = Duration.ofSeconds(5);
  // Slack's word for what is there already.
  private static final String THERE_ALREADY = "already_reacted";

  private final Line line;
  private final Address address;
  private final Pace pace;
  private final Consumer<Address> isShown;
  private final CountDownLatch cleared = new CountDownLatch(1);
  private CompletableFuture<Sign> sign = CompletableFuture.completedFuture(Sign.NONE);
  private CompletableFuture<Void> renewals = CompletableFuture.completedFuture(null);

  /// How often each kind of sign is renewed.
  record Pace(Duration session, Duration assistant) {}

  /// From the best to the last resort.
  private enum Sign {
    SESSION,
    ASSISTANT,
    REACTION,
    NONE,
    /// Whatever somebody before us has left.
    ANY
  }

  private static final List<Sign> ALL = List.of(Sign.SESSION, Sign.ASSISTANT, Sign.REACTION);

  /// @param isShown hears of the first sign, once it is there
  Status(Line line, Address address, Pace pace, Consumer<Address> isShown) {
    this.line = line;
    this.address = address;
    this.pace = pace;
    this.isShown = isShown;
  }

  /// @param title what a session that begins now is called
  void show(String title) {
    var shown = new CompletableFuture<Sign>();
    var over = new CompletableFuture<Void>();
    sign = shown;
    renewals = over;
    Thread.ofVirtual()
        .name("slack-status")
        .start(
            () -> {
              try {
                showUntilCleared(title, shown);
              } finally {
                over.complete(null);
              }
            });
  }

  private void showUntilCleared(String title, CompletableFuture<Sign> shown) {
    var first = Sign.NONE;
    try {
      first = firstThatIsShown(title);
    } finally {
      shown.complete(first);
    }
    if (first != Sign.NONE) {
      isShown.accept(address);
    }
    try {
      switch (first) {
        case SESSION -> {
          while (!cleared.await(pace.session().toMillis(), TimeUnit.MILLISECONDS)) {
            session("processing", "");
          }
        }
        case ASSISTANT -> {
          while (!cleared.await(pace.assistant().toMillis(), TimeUnit.MILLISECONDS)) {
            assistant(WORKING);
          }
        }
        case REACTION, NONE, ANY -> {}
      }
    } catch (HoldLost _) {
      // Whoever has the thread now renews it.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// A check mark on a message. It is not waited for, and tried until the work is over, which says more.
  void noticed(String messageTs) {
    Thread.ofVirtual().name("slack-noticed").start(() -> check(messageTs));
  }

  private void check(String messageTs) {
    try {
      while (true) {
        var pause =
            switch (reaction("reactions.add", messageTs, "white_check_mark")) {
              case Ok<Wire.Answer> _, Refused<Wire.Answer> _ -> Duration.ZERO;
              case Later<Wire.Answer>(var wanted) -> wanted;
              case Lost<Wire.Answer> _ -> CHECKED_AGAIN_AFTER;
            };
        if (pause.isZero() || cleared.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (HoldLost _) {
      // Whoever has the thread now takes it up himself.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Somebody is waited for; where Slack has no sign for that the one there is goes.
  void suspend() {
    end("suspended");
  }

  /// What is to be taken away is what somebody before us may have left, and nobody has to see it first.
  void adopt() {
    sign = CompletableFuture.completedFuture(Sign.ANY);
  }

  /// Leaves what is shown to whoever goes on with the work.
  void leave() {
    cleared.countDown();
  }

  /// Takes away what was shown. False when it is still there, as far as is known.
  boolean clear() {
    return end("active");
  }

  /// Again, when it was not heard, for a moment; and then it is left.
  ///
  /// @param session what a session is from now on
  /// @return whether it is gone
  private boolean end(String session) {
    endRenewals();
    var shown = sign.join();
    sign = CompletableFuture.completedFuture(Sign.NONE);
    if (shown == Sign.NONE) {
      return true;
    }
    var until = Deadline.in(TAKEN_AWAY_WITHIN);
    try {
      while (true) {
        var pause = takenAway(shown, session);
        if (pause.isEmpty()) {
          return true;
        }
        if (pause.get().compareTo(until.left()) >= 0) {
          return false;
        }
        Thread.sleep(pause.get());
      }
    } catch (HoldLost _) {
      // Whoever has the thread now is at work, and the sign is right; if anybody has it.
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// After how long it is to be tried again; empty when it is done.
  private Optional<Duration> takenAway(Sign shown, String session) throws InterruptedException {
    for (var one : shown == Sign.ANY ? ALL : List.of(shown)) {
      var result =
          switch (one) {
            case SESSION -> session(session, "");
            case ASSISTANT -> assistant("");
            case REACTION -> reaction("reactions.remove");
            case NONE, ANY -> throw new IllegalStateException("There is nothing to take away");
          };
      switch (result) {
        case Ok<Wire.Answer> _ -> {
          return Optional.empty();
        }
        case Later<Wire.Answer>(var pause) -> {
          return Optional.of(pause);
        }
        case Lost<Wire.Answer> _ -> {
          return Optional.of(AGAIN_AFTER);
        }
        // There is none of these here.
        case Refused<Wire.Answer> _ -> {}
      }
    }
    return Optional.empty();
  }

  /// One that is on its way would put the sign there again.
  private void endRenewals() {
    cleared.countDown();
    renewals.join();
  }

  private Sign firstThatIsShown(String title) {
    try {
      if (!isRefused(session("processing", title))) {
        return Sign.SESSION;
      }
      if (!isRefused(assistant(WORKING))) {
        entitle(title);
        return Sign.ASSISTANT;
      }
      return isThere(reaction("reactions.add")) ? Sign.REACTION : Sign.NONE;
    } catch (HoldLost _) {
      return Sign.NONE;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Sign.NONE;
    }
  }

  /// A session takes its title when it begins; here a conversation is called by its first message.
  private void entitle(String title) throws InterruptedException {
    if (!title.isEmpty() && address.rootTs().equals(address.messageTs())) {
      call(
          "assistant.threads.setTitle",
          Map.of("channel_id", address.channel(), "thread_ts", address.rootTs(), "title", title));
    }
  }

  /// One that somebody before us has left is as good.
  private static boolean isThere(Result<Wire.Answer> reacted) {
    return !isRefused(reacted)
        || reacted instanceof Refused<Wire.Answer>(var error) && error.equals(THERE_ALREADY);
  }

  private static boolean isRefused(Result<Wire.Answer> result) {
    return switch (result) {
      case Refused<Wire.Answer> _ -> true;
      // Busy or silent: it may be shown, and it is not worth more calls.
      case Ok<Wire.Answer> _, Later<Wire.Answer> _, Lost<Wire.Answer> _ -> false;
    };
  }

  private Result<Wire.Answer> session(String status, String title) throws InterruptedException {
    var form = new HashMap<String, String>();
    form.put("channel_id", address.channel());
    form.put("thread_ts", address.rootTs());
    form.put("status", status);
    form.put("initiator_user_id", address.user());
    if (!title.isEmpty()) {
      form.put("title", title);
    }
    return call("agents.sessions.setStatus", form);
  }

  private Result<Wire.Answer> assistant(String status) throws InterruptedException {
    return call(
        "assistant.threads.setStatus",
        Map.of("channel_id", address.channel(), "thread_ts", address.rootTs(), "status", status));
  }

  private Result<Wire.Answer> reaction(String method) throws InterruptedException {
    return reaction(method, address.messageTs(), "eyes");
  }

  private Result<Wire.Answer> reaction(String method, String messageTs, String name)
      throws InterruptedException {
    return call(method, Map.of("channel", address.channel(), "timestamp", messageTs, "name", name));
  }

  /// Whatever breaks here ends neither the sign, which is tried again when it is next due, nor what it is a sign of.
  private Result<Wire.Answer> call(String method, Map<String, String> form)
      throws InterruptedException {
    try {
      return line.call(method, form, Wire.Answer.class, Urgency.SIGN);
    } catch (HoldLost lost) {
      throw lost;
    } catch (RuntimeException e) {
      LOG.warnf(e, "The sign of work by %s broke off", method);
      return new Lost<>(method + " broke off");
    }
  }
}
