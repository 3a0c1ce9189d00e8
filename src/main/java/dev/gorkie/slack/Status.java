package dev.gorkie.slack;

import dev.gorkie.HoldLost;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The sign that somebody is at work, where Slack shows one, for as long as somebody is: it costs nobody a wait and
/// fails nothing.
final class Status {

  private static final String WORKING = "is working on it…";

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
    NONE
  }

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
        case REACTION, NONE -> {}
      }
    } catch (HoldLost _) {
      // Whoever has the thread now renews it.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// A check mark on a message; whether it can be set is not waited for.
  void noticed(String messageTs) {
    Thread.ofVirtual().name("slack-noticed").start(() -> check(messageTs));
  }

  private void check(String messageTs) {
    try {
      reaction("reactions.add", messageTs, "white_check_mark");
    } catch (HoldLost _) {
      // Whoever has the thread now takes it up himself.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Somebody is waited for; where Slack has no sign for that the one there is goes.
  void suspend() {
    endRenewals();
    try {
      if (sign.join() == Sign.SESSION) {
        session("suspended", "");
        sign = CompletableFuture.completedFuture(Sign.NONE);
      }
    } catch (HoldLost _) {
      // Whoever has the thread now is at work.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Leaves what is shown to whoever goes on with the work.
  void leave() {
    cleared.countDown();
  }

  /// Takes away what was shown, if it is still ours to do.
  void clear() {
    endRenewals();
    try {
      switch (sign.join()) {
        case SESSION -> session("active", "");
        case ASSISTANT -> assistant("");
        case REACTION -> reaction("reactions.remove");
        case NONE -> {}
      }
    } catch (HoldLost _) {
      // Whoever has the thread now is at work, and the sign is right.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    sign = CompletableFuture.completedFuture(Sign.NONE);
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
      return isRefused(reaction("reactions.add")) ? Sign.NONE : Sign.REACTION;
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
      line.call(
          "assistant.threads.setTitle",
          Map.of("channel_id", address.channel(), "thread_ts", address.rootTs(), "title", title),
          Wire.Answer.class,
          Urgency.SIGN);
    }
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
    return line.call("agents.sessions.setStatus", form, Wire.Answer.class, Urgency.SIGN);
  }

  private Result<Wire.Answer> assistant(String status) throws InterruptedException {
    return line.call(
        "assistant.threads.setStatus",
        Map.of("channel_id", address.channel(), "thread_ts", address.rootTs(), "status", status),
        Wire.Answer.class,
        Urgency.SIGN);
  }

  private Result<Wire.Answer> reaction(String method) throws InterruptedException {
    return reaction(method, address.messageTs(), "eyes");
  }

  private Result<Wire.Answer> reaction(String method, String messageTs, String name)
      throws InterruptedException {
    return line.call(
        method,
        Map.of("channel", address.channel(), "timestamp", messageTs, "name", name),
        Wire.Answer.class,
        Urgency.SIGN);
  }
}
