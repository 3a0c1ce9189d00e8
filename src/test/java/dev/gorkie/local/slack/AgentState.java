package dev.gorkie.local.slack;

import dev.gorkie.local.slack.StatusChange.Kind;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the app shows of itself beside its messages: status, session, title and suggestions, each for a thread.
final class AgentState {
  private final Changes changes;
  private final Clock clock;
  private final Delays delays;
  private final Recent<StatusChange> history = new Recent<>();
  private final Map<String, StatusChange> assistant = new HashMap<>();
  private final Map<String, StatusChange> sessions = new HashMap<>();
  private final Map<String, String> titles = new HashMap<>();
  private final Map<String, List<Prompt>> prompts = new HashMap<>();

  AgentState(Changes changes, Clock clock, Delays delays) {
    this.changes = changes;
    this.clock = clock;
    this.delays = delays;
  }

  void setStatus(Channel channel, String threadTs, String status, List<String> loadingMessages) {
    changes.change(
        () -> {
          var change = change(Kind.ASSISTANT, channel, threadTs, status, loadingMessages);
          history.add(change);
          assistant.put(key(channel, threadTs), change);
        });
  }

  void setSession(Channel channel, String threadTs, String status) {
    changes.change(
        () -> {
          var change = change(Kind.SESSION, channel, threadTs, status, List.of());
          history.add(change);
          sessions.put(key(channel, threadTs), change);
        });
  }

  private StatusChange change(
      Kind kind, Channel channel, String threadTs, String status, List<String> loadingMessages) {
    return new StatusChange(clock.instant(), kind, channel.id(), threadTs, status, loadingMessages);
  }

  void setTitle(Channel channel, String threadTs, String title) {
    changes.change(() -> titles.put(key(channel, threadTs), title));
  }

  void setPrompts(Channel channel, String threadTs, List<Prompt> suggested) {
    changes.change(() -> prompts.put(key(channel, threadTs), List.copyOf(suggested)));
  }

  /// A post of the app's takes the status of its thread away.
  void posted(Message message) {
    changes.change(() -> assistant.remove(key(message.channel, message.rootTs())));
  }

  Optional<StatusChange> status(Channel channel, String threadTs) {
    return changes.read(
        () ->
            Optional.ofNullable(assistant.get(key(channel, threadTs)))
                .filter(one -> !one.status().isEmpty())
                .filter(one -> now().isBefore(one.at().plus(delays.statusLife()))));
  }

  /// A session's state; a `processing` nobody renewed has become `active` again.
  Optional<String> session(Channel channel, String threadTs) {
    return changes.read(
        () ->
            Optional.ofNullable(sessions.get(key(channel, threadTs)))
                .map(
                    one ->
                        one.status().equals("processing")
                                && !now().isBefore(one.at().plus(delays.processingLife()))
                            ? "active"
                            : one.status()));
  }

  Optional<String> title(Channel channel, String threadTs) {
    return changes.read(() -> Optional.ofNullable(titles.get(key(channel, threadTs))));
  }

  List<Prompt> prompts(Channel channel, String threadTs) {
    return changes.read(() -> prompts.getOrDefault(key(channel, threadTs), List.of()));
  }

  /// The threads of a channel of which the app ever showed something; an empty timestamp is the channel itself.
  Set<String> places(Channel channel) {
    var prefix = key(channel, "");
    return changes.read(
        () ->
            Stream.of(assistant, sessions, titles, prompts)
                .flatMap(known -> known.keySet().stream())
                .filter(place -> place.startsWith(prefix))
                .map(place -> place.substring(prefix.length()))
                .collect(Collectors.toSet()));
  }

  List<StatusChange> history(Channel channel, String threadTs) {
    return changes.read(
        () ->
            history.stream()
                .filter(
                    one -> one.channel().equals(channel.id()) && one.threadTs().equals(threadTs))
                .toList());
  }

  void remember(int most) {
    changes.change(() -> history.keep(most));
  }

  private Instant now() {
    return clock.instant();
  }

  private static String key(Channel channel, String threadTs) {
    return channel.id() + ":" + threadTs;
  }
}
