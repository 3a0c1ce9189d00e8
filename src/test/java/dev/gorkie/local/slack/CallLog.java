package dev.gorkie.local.slack;

import java.util.ArrayList;
import java.util.List;

/// Every call of the Web API, and what was wrong with some.
final class CallLog {
  private final Changes changes;
  private final Safety safety = new Safety();
  private final List<ApiCall> calls = new ArrayList<>();
  private final List<Violation> violations = new ArrayList<>();

  CallLog(Changes changes) {
    this.changes = changes;
  }

  void add(ApiCall call) {
    changes.change(
        () -> {
          calls.add(call);
          if (call.ok()) {
            violations.addAll(safety.check(call));
          }
        });
  }

  List<ApiCall> calls() {
    return changes.read(() -> List.copyOf(calls));
  }

  List<Violation> violations() {
    return changes.read(() -> List.copyOf(violations));
  }

  void allowMentions(boolean allowed) {
    changes.change(() -> safety.allowMentions(allowed));
  }
}
