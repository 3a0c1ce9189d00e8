package dev.gorkie.slack;

import dev.gorkie.ThreadKey;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// What a person wrote, where, and in which delivery we heard of it.
///
/// The text is Slack's own, tokens and entities and all; `written` is what the person wrote.
///
/// @param stranger whether the person is of another company and met us in a channel that is shared with it
/// @param program where no person wrote it: the ids of the program that did, its app's, its bot's and its user's
/// @param seen what the person had before them in Slack then, where Slack says so
public record MessageEvent(
    String appId,
    String eventId,
    Kind kind,
    String team,
    String channel,
    boolean direct,
    String ts,
    Optional<String> threadTs,
    String user,
    Optional<String> ourUser,
    boolean mentionsUs,
    String text,
    List<Attachment> files,
    boolean stranger,
    List<String> program,
    List<Seen> seen) {

  // People who want it to end do not look up how.
  private static final Pattern STOP = Pattern.compile("!stop|stop[.!]*", Pattern.CASE_INSENSITIVE);

  /// A mention in a channel we read arrives as both, and the `APP_MENTION` may lack its files.
  public enum Kind {
    APP_MENTION,
    MESSAGE,
    /// Nothing was written: somebody wants us to go on from a message.
    CONTINUED,
    /// Nothing was written: somebody pressed a button.
    STOP,
    /// Nobody did anything: what was begun here has ended, or its time has come.
    FOLLOW_UP;

    /// What it is taken in as.
    public String taken() {
      return (this == CONTINUED ? MESSAGE : this).name();
    }
  }

  /// Whether nobody wrote it.
  public boolean isFollowUp() {
    return kind == Kind.FOLLOW_UP;
  }

  /// Whether it invites us into its thread for good.
  public boolean invites() {
    return threadTs.isEmpty() || kind == Kind.CONTINUED;
  }

  public MessageEvent {
    files = List.copyOf(files);
    program = List.copyOf(program);
    seen = List.copyOf(seen);
  }

  /// A button that a person pressed in a thread, to have us stop there.
  static MessageEvent stop(
      String app,
      String eventId,
      String team,
      String channel,
      boolean direct,
      String at,
      String thread,
      String user) {
    return new MessageEvent(
        app,
        eventId,
        Kind.STOP,
        team,
        channel,
        direct,
        at,
        Optional.of(thread),
        user,
        Optional.empty(),
        false,
        "",
        List.of(),
        false,
        List.of(),
        List.of());
  }

  /// The conversation this belongs to. All direct messages of one person are one.
  public ThreadKey threadKey() {
    return direct ? ThreadKey.direct(team, user) : new ThreadKey(team, channel, rootTs());
  }

  /// The message under which the answer goes, in direct messages too.
  public String rootTs() {
    return threadTs.orElse(ts);
  }

  public Address address() {
    return new Address(threadKey(), channel, rootTs(), ts, user);
  }

  /// Whether its author marked it as not meant for us.
  public boolean isAside() {
    return MessageText.isAside(text);
  }

  /// Whether no person wrote it.
  public boolean isPrograms() {
    return !program.isEmpty();
  }

  /// Whether what is under way in this thread is to end.
  public boolean isStop() {
    return kind == Kind.STOP || !isPrograms() && !isFollowUp() && STOP.matcher(plain()).matches();
  }

  /// What it tells us ourselves, if it does. A program gives no orders.
  public Optional<Command> command() {
    return kind == Kind.STOP || isPrograms() || isFollowUp()
        ? Optional.empty()
        : Command.read(plain());
  }

  /// Whether it can be meant for nobody but us, wherever it is said.
  public boolean isOrder() {
    return kind == Kind.STOP || plain().startsWith("!") && (isStop() || command().isPresent());
  }

  private String plain() {
    return written(user -> user).strip();
  }

  /// What the person wrote, without our own mention in front; the names are asked for by user id.
  ///
  /// U+0000 comes out as U+FFFD: to some of those who read on, a text ends there.
  public String written(UnaryOperator<String> nameOf) {
    return MessageText.written(text, ourUser, nameOf).replace('\0', '\ufffd');
  }
}
