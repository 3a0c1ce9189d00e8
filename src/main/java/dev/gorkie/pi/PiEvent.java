package dev.gorkie.pi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// The next thing that happened to Pi, or that Pi did.
public sealed interface PiEvent {

  /// Pi is being started.
  record Booting() implements PiEvent {}

  /// Pi takes prompts. How many messages its conversation holds shows whether it is the one we know.
  record Ready(String boot, long messages, Optional<String> model) implements PiEvent {}

  /// A run began.
  record Began() implements PiEvent {}

  /// A further piece of what Pi is saying. What it comes to is told by one of the next three.
  record Said(String text) implements PiEvent {}

  /// What was being said is (part of) the answer.
  record Answered(String text, boolean cutShort) implements PiEvent {}

  /// What was being said came before a tool call: a remark on the way.
  record Remarked(String text) implements PiEvent {}

  /// What was being said came to nothing; it must not stay where people read it.
  record TakenBack() implements PiEvent {}

  record ToolStarted(String call, ToolUse use) implements PiEvent {}

  record ToolMoved(String call, String latest) implements PiEvent {}

  record ToolEnded(String call, boolean failed, String output) implements PiEvent {}

  /// Pi wants the people in the thread to see this file.
  record FileShown(String call, String path, String title) implements PiEvent {}

  /// The model's provider failed; Pi tries again by itself.
  record Retrying(long attempt, long most, Duration in) implements PiEvent {}

  /// The conversation is being shortened to fit the model.
  record Compacting() implements PiEvent {}

  /// The conversation was shortened because we wanted it, or there was nothing to shorten.
  record Compacted(String id, boolean shorter) implements PiEvent {}

  /// Pi wants something done that it cannot do on its machine. Code that a model runs can ask the same.
  record ToolAsked(String id, String name, Map<String, String> args) implements PiEvent {

    public ToolAsked {
      args = Map.copyOf(args);
    }
  }

  /// Pi waits for a person's leave before it does this.
  ///
  /// @param more how many characters of it are not shown
  record PermissionAsked(String id, String call, String tool, String text, long more)
      implements PiEvent {}

  /// Pi is gone, in the middle of a run or not.
  record Exited(boolean inRun, String how) implements PiEvent {}

  /// The run took as long as one may take and was ended.
  record LimitReached(Duration limit) implements PiEvent {}

  /// Something about the machine that a person should know.
  record Trouble(String reason) implements PiEvent {}

  /// The run is over, with all that was asked in it.
  record Finished(Outcome outcome) implements PiEvent {}

  /// The keeper has heard of a worker that came after the one with this fence. Whatever that one would say now is
  /// theirs to say.
  record TakenOver(long fence) implements PiEvent {}

  /// The keeper was begun anew by the worker with this fence, and has forgotten what it had heard of others.
  record BegunAnew(long fence) implements PiEvent {}

  /// Nothing happened until the deadline.
  record Quiet() implements PiEvent {}

  /// Pi took the command of this id, or answered it.
  record Replied(String id) implements PiEvent {}

  /// Something of which nothing is shown.
  record Unknown(String type) implements PiEvent {}
}
