package dev.gorkie.workbench;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What came of an operation.
public sealed interface Outcome {

  /// It was done, and this came of it.
  record Done(ObjectNode result) implements Outcome {}

  /// It could not be done.
  ///
  /// @param word for programs
  /// @param sentence for people
  record Refused(String word, String sentence) implements Outcome {}
}
