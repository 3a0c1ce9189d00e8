package dev.gorkie.commands;

import dev.gorkie.database.Database;
import dev.gorkie.inbox.Accepted;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.preferences.Permissions;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.preferences.Scope;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Replies;
import dev.gorkie.turns.Spending;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.RoundingMode;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Obeys what is told to Gorkie itself, once, however often it is delivered: that it was taken in, what it changes and what is
/// answered are one transaction.
@ApplicationScoped
public class Commands {

  private static final String HELP =
      """
      I answer whoever mentions me, and everything in a thread that began with a mention. Begin a line with `##` for what is not for me.

      - `!stop` ends what I am doing here; a click on *Stop* does the same
      - `!status` tells what I am doing and what this thread has cost today
      - `!new` begins a new conversation; the files stay
      - `!compact` summarises a long conversation
      - `!model` tells which model works here, `!model name` takes another one
      - `!permissions` tells what I may do unasked; `ask`, `edit` or `bypass` behind it changes that
      - `!leave` makes me leave this thread until I am mentioned again
      """;
  private static final String HERE_FOR_GOOD =
      "This conversation is between the two of us, so there is nothing to leave. I am quiet unless you write to me.";
  private static final String LEFT = "I have left this thread. Mention me when you want an answer.";

  private final Database database;
  private final Inbox inbox;
  private final Preferences preferences;
  private final Spending spending;
  private final Replies replies;

  @Inject
  Commands(
      Database database, Inbox inbox, Preferences preferences, Spending spending, Replies replies) {
    this.database = database;
    this.inbox = inbox;
    this.preferences = preferences;
    this.spending = spending;
    this.replies = replies;
  }

  /// Under what its answer stands in the outbox.
  public static String subject(MessageEvent event) {
    return "command-" + event.channel() + "-" + event.ts();
  }

  /// From the end of this on it has happened, and its answer will be said.
  public Accepted obey(MessageEvent event) {
    var command = event.command().orElseThrow();
    // Looked up before, since it changes nothing.
    var status = command.word() == Command.Word.STATUS ? status(event) : "";
    return database.transaction(
        () -> {
          var accepted = inbox.takeIn(event);
          if (accepted == Accepted.OBEYED) {
            replies.note(event.address(), subject(event), obeyed(command, event, () -> status));
          }
          return accepted;
        });
  }

  private String obeyed(Command command, MessageEvent event, Supplier<String> status) {
    return switch (command.word()) {
      case HELP -> HELP;
      case STATUS -> status.get();
      case MODEL -> model(command.argument(), event);
      case PERMISSIONS -> permissions(command.argument(), event);
      case LEAVE -> leave(event);
      case NEW, COMPACT -> throw new IllegalStateException(command.word() + " waits for its turn");
    };
  }

  private String leave(MessageEvent event) {
    if (event.direct()) {
      return HERE_FOR_GOOD;
    }
    inbox.leave(event.threadKey());
    return LEFT;
  }

  private String model(String wanted, MessageEvent event) {
    var thread = event.threadKey();
    if (wanted.isEmpty()) {
      return "Here `%s` works. You can choose from: %s."
          .formatted(preferences.in(thread, event.user()).model(), models());
    }
    return preferences.chooseModel(Scope.thread(thread), wanted, event.user())
        ? "From the next message on `%s` works in this thread.".formatted(wanted)
        : "I may not use that model. You can choose from: %s.".formatted(models());
  }

  private String models() {
    return preferences.models().stream()
        .map(model -> "`" + model + "`")
        .collect(Collectors.joining(", "));
  }

  private String permissions(String wanted, MessageEvent event) {
    var thread = event.threadKey();
    var before = preferences.in(thread, event.user()).permissions();
    if (wanted.isEmpty()) {
      return "Here it is `%s`: %s".formatted(before.word(), meaning(before));
    }
    var now = Permissions.read(wanted);
    if (now.isEmpty()) {
      return "I know `ask`, `edit` and `bypass`. " + meaning(before);
    }
    return preferences.choosePermissions(Scope.thread(thread), before, now.get(), event.user())
        ? "From the next message on it is `%s` here: %s"
            .formatted(now.get().word(), meaning(now.get()))
        : "Only those who look after me may loosen this. It stays `%s`.".formatted(before.word());
  }

  private static String meaning(Permissions permissions) {
    return switch (permissions) {
      case BYPASS -> "I run commands and write files without asking.";
      case EDIT -> "I write files without asking and ask before each command.";
      case ASK -> "I ask before each command and before each file I write.";
    };
  }

  private String status(MessageEvent event) {
    var thread = event.threadKey();
    var waiting = inbox.waiting(thread);
    var spent = spending.in(thread);
    var doing =
        inbox.isAtRest(thread)
            ? "I am doing nothing here at the moment."
            : waiting == 0
                ? "I am working on this."
                : "I am working on this, and messages wait: %d.".formatted(waiting);
    var chosen = preferences.of(thread, event.user());
    return "%s Turns today: %d, for $%s. Model: `%s`. Permissions: `%s`."
        .formatted(
            doing,
            spent.turns(),
            spent.cost().setScale(2, RoundingMode.HALF_UP),
            chosen.model(),
            chosen.permissions().word());
  }
}
