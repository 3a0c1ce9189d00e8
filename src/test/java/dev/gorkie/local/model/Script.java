package dev.gorkie.local.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;

/// A test's rules, the first that matches counts.
///
/// Which reply of a rule is due is read from the request itself: as many as the run has answers since its prompt. So any
/// number of runs go through the same rule at once. Only replies that leave no trace in a conversation are counted here.
final class Script {

  /// What a call is answered with; `lost` is to be told when nobody waited for the end of it.
  record Due(Reply reply, Runnable lost) {}

  private record Run(Rule rule, List<Conversation.Message> before) {}

  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final Map<Run, Integer> traceless = new HashMap<>();

  void add(Rule rule) {
    rules.add(rule);
  }

  void clear() {
    rules.clear();
  }

  /// A message that steers a run may have a rule of its own; where it has none the run's prompt still counts.
  Optional<Due> due(Conversation conversation) {
    var all = conversation.messages();
    var begin = all.size() - conversation.run().messages().size();
    for (var i = all.size() - 1; i >= begin; i--) {
      if (all.get(i).isUser()) {
        var due = due(conversation, i);
        if (due.isPresent()) {
          return due;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Due> due(Conversation conversation, int prompt) {
    var all = conversation.messages();
    for (var rule : rules) {
      var found = rule.prompt().matcher(all.get(prompt).text());
      if (found.find()) {
        var answered = all.stream().skip(prompt).filter(Conversation.Message::isAssistant).count();
        var run = new Run(rule, all.subList(0, prompt + 1));
        return Optional.of(
            next(run, (int) answered, found.toMatchResult(), conversation.lastResult()));
      }
    }
    return Optional.empty();
  }

  private synchronized Due next(Run run, int answered, MatchResult found, String lastResult) {
    var position = answered + traceless.getOrDefault(run, 0);
    var reply = run.rule().reply(position, found, lastResult);
    if (leavesNoTrace(reply)) {
      countTraceless(run);
      return new Due(reply, () -> {});
    }
    return new Due(reply, () -> countTraceless(run));
  }

  private synchronized void countTraceless(Run run) {
    traceless.merge(run, 1, Integer::sum);
  }

  private static boolean leavesNoTrace(Reply reply) {
    return switch (reply) {
      case Reply.Refused _ -> true;
      case Reply.Spoken spoken ->
          switch (spoken.ending()) {
            case Ending.Cut _, Ending.Unfinished _ -> true;
            case Ending.Whole _, Ending.Hanging _ -> false;
          };
    };
  }
}
