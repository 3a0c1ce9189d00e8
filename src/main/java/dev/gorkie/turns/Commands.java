package dev.gorkie.turns;

import dev.gorkie.inbox.Message;

/// What our commands to Pi are called. Derived, so that whoever takes over calls them the same and none is obeyed twice.
final class Commands {

  private static final String WATCHDOG = "watchdog-";
  private static final String INTERRUPT = "interrupt-";

  private Commands() {}

  /// The words that began the turn.
  static String turn(long turn) {
    return "turn-" + turn;
  }

  /// Words that came while it ran.
  static String message(Message message) {
    return "m-" + message.id();
  }

  /// The same words once more, after Pi ended with them.
  static String again(String command) {
    return command + "-again";
  }

  /// Answers what Pi asked in a dialogue.
  static String answer(String dialogue) {
    return "answer-" + dialogue;
  }

  /// What the people are asked for Pi; where it stands in the outbox, and what its buttons carry.
  static String approval(long turn, String dialogue) {
    return "ask-" + turn + "-" + dialogue;
  }

  /// Begins a job beside Pi.
  static String job(String job) {
    return "begin-" + job;
  }

  /// Shortens the conversation.
  static String compact(long turn) {
    return "compact-" + turn;
  }

  static String stop(Message message) {
    return "stop-" + message.id();
  }

  static String interrupt(long turn) {
    return INTERRUPT + turn;
  }

  /// Has the agent end a turn that is over for everybody else; whoever has the thread says it anew.
  static String end(long turn, long fence) {
    return "end-" + turn + "-" + fence;
  }

  static boolean isInterrupt(String command) {
    return command.startsWith(INTERRUPT);
  }

  static String probe(long turn, long fence) {
    return "probe-" + turn + "-" + fence;
  }

  /// Ends a run that went silent; `model` when Pi itself still answered.
  static String watchdog(long turn, boolean model) {
    return WATCHDOG + (model ? "model-" : "pi-") + turn;
  }

  static boolean isWatchdogs(String command) {
    return command.startsWith(WATCHDOG);
  }

  static boolean blamesModel(String command) {
    return command.startsWith(WATCHDOG + "model-");
  }
}
