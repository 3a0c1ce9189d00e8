package dev.gorkie.commands;

import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.commands.Choices.Place;
import dev.gorkie.commands.Choices.Wish;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Accepted;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.jobs.Jobs;
import dev.gorkie.policy.Policy;
import dev.gorkie.policy.Policy.Rights;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.preferences.Scope;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.Listing;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.Slash;
import dev.gorkie.tasks.Tasks;
import dev.gorkie.turns.Spending;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

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
      - `!jobs` shows what runs in the background here, with buttons to end it
      - `!tasks` shows what is planned here, with buttons to cancel it
      - `!leave` makes me leave this thread until I am mentioned again, `!leave channel` the whole channel
      """;
  private static final String SLASH_HELP =
      """
      Mention me in a channel or write to me directly. Here you can give me
      • `/gorkie status`: what I am doing, and what it has cost you today
      • `/gorkie model [name]`: which model works in this channel
      • `/gorkie permissions [ask, edit or bypass]`: what I may do unasked in this channel
      • `/gorkie leave`: I leave this channel
      Behind a model or permissions, `workspace` makes it count for the whole workspace. In a thread, write `!help`.\
      """;
  private static final String CHANNEL = "channel";
  private static final String HERE_FOR_GOOD =
      "This conversation is between the two of us, so there is nothing to leave. I am quiet unless you write to me.";
  private static final String LEFT = "I have left this thread. Mention me when you want an answer.";
  private static final String LEAVING =
      "I leave this channel now and follow no thread in it any more. Invite me when you want me back: `/invite @Gorkie`.";
  private static final String GONE =
      "I have left this channel. Invite me when you want me back: `/invite @Gorkie`.";
  private static final String NOT_THERE = "I am not in this channel, so there is nothing to leave.";
  private static final String CANNOT_LEAVE =
      "I follow no thread in this channel any more, but I was not given the right to leave it. Somebody can take me out: `/remove @Gorkie`.";
  private static final String NOT_NOW =
      "I follow no thread in this channel any more, but Slack did not let me leave it just now. Try again in a minute, or take me out:"
          + " `/remove @Gorkie`.";
  private static final String NOT_FOR_GUESTS =
      "Only members of this workspace may send me out of a channel. Ask one of them to do it.";
  private static final String CHOSEN_ELSEWHERE =
      "That is chosen for a channel or a thread: give this command there.";

  private final Database database;
  private final Inbox inbox;
  private final Preferences preferences;
  private final Spending spending;
  private final Jobs jobs;
  private final Tasks tasks;
  private final Replies replies;
  private final Conversations conversations;
  private final Policy policy;
  private final Choices choices;

  @Inject
  Commands(
      Database database,
      Inbox inbox,
      Preferences preferences,
      Spending spending,
      Jobs jobs,
      Tasks tasks,
      Replies replies,
      Conversations conversations,
      Policy policy,
      Choices choices) {
    this.database = database;
    this.inbox = inbox;
    this.preferences = preferences;
    this.spending = spending;
    this.jobs = jobs;
    this.tasks = tasks;
    this.replies = replies;
    this.conversations = conversations;
    this.policy = policy;
    this.choices = choices;
  }

  /// Under what its answer stands in the outbox.
  private static String subject(MessageEvent event) {
    return "command-" + event.team() + "-" + event.channel() + "-" + event.ts();
  }

  /// From the end of this on it has happened, and its answer will be said.
  public Accepted obey(MessageEvent event) {
    var command = event.command().orElseThrow();
    var thread = event.threadKey();
    var place = new Place(thread, Scope.thread(thread), event.user(), "in this thread");
    var wish = Wish.read(command.argument(), place);
    // Looked up before, since they change nothing.
    var rights = rights(command.word(), wish);
    var status = command.word() == Command.Word.STATUS ? status(event) : "";
    var listing =
        switch (command.word()) {
          case JOBS -> Optional.of(jobs.list(event.threadKey()));
          case TASKS -> Optional.of(tasks.listing(event.threadKey(), event.user()));
          default -> Optional.<Listing>empty();
        };
    return database.transaction(
        () -> {
          var accepted = inbox.takeIn(event);
          if (accepted == Accepted.OBEYED) {
            if (listing.isPresent()) {
              replies.note(event.address(), subject(event), listing.get());
              return accepted;
            }
            var answer =
                switch (command.word()) {
                  case HELP -> HELP;
                  case STATUS -> status;
                  case MODEL -> choices.model(wish, rights);
                  case PERMISSIONS -> choices.permissions(wish, rights);
                  case LEAVE -> leave(event, rights);
                  case JOBS, TASKS -> throw new IllegalStateException("A list is no sentence");
                  case NEW, COMPACT ->
                      throw new IllegalStateException(command.word() + " waits for its turn");
                };
            replies.note(event.address(), subject(event), answer);
          }
          return accepted;
        });
  }

  /// Says what was noted, and goes where somebody wants us to go.
  public void say(MessageEvent event) throws InterruptedException {
    replies.say(subject(event));
    if (isFarewell(event) && !event.direct() && rights(event).member()) {
      var goodbye = left(event.team(), event.channel());
      if (!goodbye.equals(GONE)) {
        replies.tell(event.address(), subject(event) + "-stays", goodbye);
      }
    }
  }

  private static boolean isFarewell(MessageEvent event) {
    return event
        .command()
        .filter(it -> it.word() == Command.Word.LEAVE && it.argument().equalsIgnoreCase(CHANNEL))
        .isPresent();
  }

  private String leave(MessageEvent event, Rights rights) {
    if (event.direct()) {
      return HERE_FOR_GOOD;
    }
    if (!isFarewell(event)) {
      inbox.leave(event.threadKey());
      return LEFT;
    }
    if (!rights.member()) {
      return NOT_FOR_GUESTS;
    }
    inbox.leaveChannel(event.team(), event.channel());
    return LEAVING;
  }

  /// What came of leaving a channel.
  private String left(String team, String channel) {
    try {
      return switch (conversations.leave(team, channel)) {
        case LEFT -> GONE;
        case NOT_THERE -> NOT_THERE;
        case NOT_ALLOWED -> CANNOT_LEAVE;
      };
    } catch (Failure _) {
      return NOT_NOW;
    }
  }

  private Rights rights(MessageEvent event) {
    return policy.rights(event.team(), event.user());
  }

  private Rights rights(Command.Word word, Wish wish) {
    var isAsked =
        switch (word) {
          case MODEL -> wish.isNotEverybodys() && wish.place().scope().isForOthers();
          case PERMISSIONS -> wish.isNotEverybodys();
          case LEAVE -> wish.value().equalsIgnoreCase(CHANNEL);
          case HELP, STATUS, JOBS, TASKS, NEW, COMPACT -> false;
        };
    return isAsked ? policy.rights(wish.place().thread().team(), wish.place().user()) : Rights.NONE;
  }

  /// What its giver reads; whatever it changes counts for the channel in which it was given.
  public String answer(Slash slash) {
    var command = slash.command();
    var wish = Wish.read(command.argument(), place(slash));
    var rights = rights(command.word(), wish);
    return switch (command.word()) {
      case HELP, JOBS, TASKS, NEW, COMPACT -> SLASH_HELP;
      case STATUS -> status(slash);
      case LEAVE -> leave(slash);
      case MODEL -> database.transaction(() -> choices.model(wish, rights));
      case PERMISSIONS ->
          isDirect(slash) && !wish.place().scope().isEverywhere()
              ? CHOSEN_ELSEWHERE
              : database.transaction(() -> choices.permissions(wish, rights));
    };
  }

  private String leave(Slash slash) {
    if (isDirect(slash)) {
      return HERE_FOR_GOOD;
    }
    if (!policy.rights(slash.team(), slash.user()).member()) {
      return NOT_FOR_GUESTS;
    }
    database.transaction(
        () -> {
          inbox.leaveChannel(slash.team(), slash.channel());
          return true;
        });
    return left(slash.team(), slash.channel());
  }

  private String status(Slash slash) {
    var spent = spending.by(slash.team(), slash.user());
    return "At work in this workspace: %d. Your turns today: %d, for $%s."
        .formatted(inbox.atWork(slash.team()), spent.turns(), Money.of(spent.cost()));
  }

  private static boolean isDirect(Slash slash) {
    return slash.channel().startsWith("D");
  }

  /// A direct conversation's choices are the person's. A channel's name no thread: it stands for those that have chosen nothing for
  /// themselves.
  private static Place place(Slash slash) {
    return isDirect(slash)
        ? new Place(
            ThreadKey.direct(slash.team(), slash.user()),
            Scope.person(slash.team(), slash.user()),
            slash.user(),
            "here")
        : new Place(
            new ThreadKey(slash.team(), slash.channel(), "0"),
            Scope.channel(slash.team(), slash.channel()),
            slash.user(),
            "here");
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
