package dev.gorkie.campaign;

import java.util.List;

/// Something passes between a function's process and the outside world.
///
/// @param wire `slack`, `daytona`, `lambda` or `db`, and of the ingress `door`
/// @param what the request, or a statement's verb and table
/// @param side whether it is on its way there or the answer is on its way back
/// @param rows of an answer of the database: what each statement did, such as `UPDATE 1`
record Passage(String wire, String what, Side side, List<String> rows) {

  enum Side {
    BEFORE,
    AFTER
  }

  static Passage before(String wire, String what) {
    return new Passage(wire, what, Side.BEFORE, List.of());
  }

  static Passage after(String wire, String what) {
    return new Passage(wire, what, Side.AFTER, List.of());
  }

  String name() {
    return wire + " " + what + (side == Side.BEFORE ? " before" : " after");
  }

  /// Whether the database changed anything.
  boolean hasChanged() {
    return rows.stream().anyMatch(tag -> tag.matches("(UPDATE|DELETE|INSERT 0) [1-9][0-9]*"));
  }
}
