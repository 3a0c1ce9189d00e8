package dev.gorkie.local.model;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Replies for the successive model calls of a run whose prompt matches.
///
/// In them `{{1}}`, `{{2}}` … stand for what the pattern's groups found in the prompt, `{{0}}` for the whole match, and
/// `{{result}}` for what the last tool gave: one rule gives many threads their own right answers.
public record Rule(Pattern prompt, List<Reply> replies) {

  public Rule {
    if (replies.isEmpty()) {
      throw new IllegalArgumentException("A rule without a reply: " + prompt);
    }
    replies = List.copyOf(replies);
  }

  public static Rule whenMatching(String regex, Reply... replies) {
    return new Rule(Pattern.compile(regex, Pattern.DOTALL), List.of(replies));
  }

  public static Rule whenContaining(String text, Reply... replies) {
    return new Rule(Pattern.compile(text, Pattern.LITERAL), List.of(replies));
  }

  /// Beyond the last reply there is only the last one.
  Reply reply(int position, MatchResult found, String lastResult) {
    var reply = replies.get(Math.min(position, replies.size() - 1));
    return new Template(found, lastResult).fill(reply);
  }
}
