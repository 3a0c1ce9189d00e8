package dev.gorkie.commands;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Accepted;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.preferences.Permissions;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.preferences.Scope;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.Slash;
import dev.gorkie.turns.Spending;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
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
  private static final String SLASH_HELP =
      """
      Mention me in a channel or write to me directly. Here you can give me
      • `/gorkie status`: what I am doing, and what it has cost you today
      • `/gorkie model [name]`: which model works in this channel
      • `/gorkie permissions [ask, edit or bypass]`: what I may do unasked in this channel
      In a thread, write `!help`.""";
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

  /// Whether its author may have us do anything.
  public boolean mayAsk(MessageEvent event) {
    return !event.stranger() || preferences.areStrangersAnswered();
  }

  /// Under what its answer stands in the outbox.
  public static String subject(MessageEvent event) {
    return "command-" + event.team() + "-" + event.channel() + "-" + event.ts();
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
            replies.note(event.address(), subject(event), obeyed(command, event, status));
          }
          return accepted;
        });
  }

  /// What its giver reads; whatever it changes counts for the channel in which it was given.
  public String answer(Slash slash) {
    var command = slash.command();
    return switch (command.word()) {
      case HELP, LEAVE, NEW, COMPACT -> SLASH_HELP;
      case STATUS -> status(slash);
      case MODEL -> database.transaction(() -> model(command.argument(), slash));
      case PERMISSIONS -> database.transaction(() -> permissions(command.argument(), slash));
    };
  }

  private String status(Slash slash) {
    var spent = spending.by(slash.team(), slash.user());
    return "At work in this workspace: %d. Your turns today: %d, for $%s."
        .formatted(inbox.atWork(slash.team()), spent.turns(), Money.of(spent.cost()));
  }

  private String model(String wanted, Slash slash) {
    var here = place(slash);
    return model(wanted, here, scope(slash), slash.user(), "here");
  }

  private String permissions(String wanted, Slash slash) {
    return isDirect(slash)
        ? "That is chosen for a channel or a thread: give this command there."
        : permissions(wanted, place(slash), scope(slash), slash.user());
  }

  private static boolean isDirect(Slash slash) {
    return slash.channel().startsWith("D");
  }

  /// A direct conversation's choices are the person's.
  private static Scope scope(Slash slash) {
    return isDirect(slash)
        ? Scope.person(slash.team(), slash.user())
        : Scope.channel(slash.team(), slash.channel());
  }

  /// No thread is called so: it stands for those that have chosen nothing for themselves.
  private static ThreadKey place(Slash slash) {
    return isDirect(slash)
        ? ThreadKey.direct(slash.team(), slash.user())
        : new ThreadKey(slash.team(), slash.channel(), "0");
  }

  private String obeyed(Command command, MessageEvent event, String status) {
    return switch (command.word()) {
      case HELP -> HELP;
      case STATUS -> status;
      case MODEL -> {
        var thread = event.threadKey();
        yield model(
            command.argument(), thread, Scope.thread(thread), event.user(), "in this thread");
      }
      case PERMISSIONS -> {
        var thread = event.threadKey();
        yield permissions(command.argument(), thread, Scope.thread(thread), event.user());
      }
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

  private String model(String wanted, ThreadKey thread, Scope scope, String user, String where) {
    if (wanted.isEmpty()) {
      return "Here `%s` works. You can choose from: %s."
          .formatted(preferences.in(thread, user).model(), models());
    }
    return preferences.chooseModel(scope, wanted, user)
        ? "From the next message on `%s` works %s.".formatted(wanted, where)
        : "I may not use that model. You can choose from: %s.".formatted(models());
  }

  private String models() {
    return preferences.models().stream()
        .map(model -> "`" + model + "`")
        .collect(Collectors.joining(", "));
  }

  private String permissions(String wanted, ThreadKey thread, Scope scope, String user) {
    var before = preferences.in(thread, user).permissions();
    if (wanted.isEmpty()) {
      return "Here it is `%s`: %s".formatted(before.word(), meaning(before));
    }
    var now = Permissions.read(wanted);
    if (now.isEmpty()) {
      return "I know `ask`, `edit` and `bypass`. " + meaning(before);
    }
    return preferences.choosePermissions(scope, before, now.get(), user)
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
            Money.of(spent.cost()),
            chosen.model(),
            chosen.permissions().word());
  }
}
