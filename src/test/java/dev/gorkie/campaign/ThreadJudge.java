package dev.gorkie.campaign;

import java.io.IOException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Holds what the tables and Slack show of one thread against the promises.
final class ThreadJudge {

  private static final Pattern ANSWERED = Pattern.compile("Answer to ([^\\n]*?)\\.(?=\\s|$|_)");
  static final String DONE = "DONE";

  private final Books books;
  private final Eyes eyes;

  ThreadJudge(Books books, Eyes eyes) {
    this.books = books;
    this.eyes = eyes;
  }

  /// What the books and Slack show of it.
  List<Violation> look(Judge.Case of) throws IOException, InterruptedException {
    var found = new ArrayList<Violation>();
    var inbox = books.inbox(of.thread());
    var said = eyes.thread(of.channel(), of.root());
    var turns = new HashMap<Long, List<String>>();
    for (var told : of.told()) {
      var row = inbox.stream().filter(it -> Books.word(it, "ts").equals(told.ts())).findFirst();
      if (row.isEmpty()) {
        found.add(new Violation("I1", told.name() + " never came into the inbox"));
      } else if (Books.word(row.get(), "settled_as").isEmpty()) {
        found.add(new Violation("I1", told.name() + " has no outcome: " + row.get()));
      } else {
        turns
            .computeIfAbsent(Books.number(row.get(), "turn_id"), _ -> new ArrayList<>())
            .add(told.name());
      }
    }
    for (var row : inbox) {
      if (Books.word(row, "kind").equals("FOLLOW_UP")) {
        if (Books.word(row, "settled_as").isEmpty()) {
          found.add(new Violation("R19", "what has ended was not gone on with: " + row));
        } else {
          turns.computeIfAbsent(Books.number(row, "turn_id"), _ -> new ArrayList<>());
        }
      }
    }
    turns.forEach((turn, names) -> outcome(turn, names, said, found));
    strangers(of, turns, said, found);
    order(of.thread(), found);
    for (var one : said) {
      // What is shown while it comes is marked as it ends.
      if (one.subject().isEmpty() && one.files().isEmpty()) {
        found.add(new Violation("I2", "begun and never ended: " + one));
      }
    }
    var files = said.stream().mapToInt(one -> one.files().size()).sum();
    // What came to an apology may never have had a file to show.
    if (files > of.files() || files < of.files() && apologies(of).isEmpty()) {
      found.add(new Violation("I2", "%d files are shown, not %d".formatted(files, of.files())));
    }
    return found;
  }

  /// Exactly one outcome for a turn, each part of it once.
  private void outcome(long turn, List<String> names, List<Eyes.Said> said, List<Violation> found) {
    var subject = "turn-" + turn;
    var finals =
        said.stream().filter(one -> one.subject().equals(subject) && one.isFinal()).toList();
    var parts = new HashMap<String, Integer>();
    var kinds = new HashSet<String>();
    for (var one : finals) {
      parts.merge(one.part(), 1, Integer::sum);
      kinds.add(one.part().replaceFirst("-[0-9]+$", ""));
    }
    if (finals.isEmpty()) {
      found.add(new Violation("I1", "nothing was said about %s (%s)".formatted(names, subject)));
    }
    parts.forEach(
        (part, times) -> {
          if (times > 1) {
            found.add(
                new Violation("I2", "%s of %s was said %d times".formatted(part, subject, times)));
          }
        });
    if (kinds.size() > 1) {
      found.add(new Violation("I1", "%s came to %s at once".formatted(subject, kinds)));
    }
    var cards = said.stream().filter(one -> one.subject().equals(subject) && one.isCard()).count();
    if (cards > 1) {
      found.add(new Violation("I2", "%s has %d cards".formatted(subject, cards)));
    }
    if (kinds.contains("answer")) {
      var answered = String.join("\n", finals.stream().map(Eyes.Said::text).toList());
      for (var name : names) {
        if (!names(answered).contains(name)) {
          found.add(
              new Violation("I1", "the answer says nothing of %s: %s".formatted(name, answered)));
        }
      }
    }
  }

  /// What stands in the thread and belongs to none of its turns.
  private void strangers(
      Judge.Case of, Map<Long, List<String>> turns, List<Eyes.Said> said, List<Violation> found) {
    var own = of.told().stream().map(Told::name).toList();
    for (var one : said) {
      if (!one.subject().isEmpty()
          && !turns.containsKey(Long.parseLong(one.subject().replaceFirst("turn-", "")))) {
        found.add(new Violation("I3", "a stranger in the thread: " + one));
      }
      for (var name : names(one.text())) {
        if (!own.contains(name)) {
          found.add(new Violation("I3", "an answer to " + name + " in another thread"));
        }
      }
    }
  }

  private static List<String> names(String text) {
    var names = new ArrayList<String>();
    var answered = ANSWERED.matcher(text);
    while (answered.find()) {
      names.addAll(List.of(answered.group(1).split(", ")));
    }
    return names;
  }

  /// One turn after the other.
  private void order(String thread, List<Violation> found) {
    var turns = books.turns(thread);
    for (var at = 1; at < turns.size(); at++) {
      var before = turns.get(at - 1);
      var after = turns.get(at);
      if (before.get("ended_at") instanceof Timestamp ended
          && after.get("started_at") instanceof Timestamp started
          && started.before(ended)) {
        found.add(new Violation("I4", "turns overlap: " + before + " and " + after));
      }
    }
  }

  /// What came to those messages otherwise than by an answer.
  List<String> apologies(Judge.Case of) {
    return books.inbox(of.thread()).stream()
        .map(row -> Books.word(row, "settled_as"))
        .filter(outcome -> !outcome.equals(DONE))
        .toList();
  }
}
