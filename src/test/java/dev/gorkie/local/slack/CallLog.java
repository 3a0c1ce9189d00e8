package dev.gorkie.local.slack;

import java.util.ArrayList;
import java.util.List;

/// Every call of the Web API, and what was wrong with some.
final class CallLog {
  private final Changes changes;
  private final Safety safety = new Safety();
  private final Recent<ApiCall> calls = new Recent<>();
  private final List<Violation> violations = new ArrayList<>();
  private boolean refusesUnsafe = true;

  CallLog(Changes changes) {
    this.changes = changes;
  }

  void add(ApiCall call) {
    changes.change(
        () -> {
          calls.add(call);
          if (call.ok()) {
            safety.heard(call);
          }
        });
  }

  /// Whether people would suffer from it. Slack itself would take it, and so does this one where it is told to.
  boolean isUnsafe(Call call) {
    return changes.change(
        () -> {
          var found = safety.check(call.method(), call.form());
          violations.addAll(found);
          return refusesUnsafe && !found.isEmpty();
        });
  }

  void refuseUnsafe(boolean refuses) {
    changes.change(() -> refusesUnsafe = refuses);
  }

  List<ApiCall> calls() {
    return changes.read(calls::list);
  }

  void remember(int most) {
    changes.change(() -> calls.keep(most));
  }

  List<Violation> violations() {
    return changes.read(() -> List.copyOf(violations));
  }

  void allowNaming(String user) {
    changes.change(() -> safety.allowNaming(user));
  }

  void allowMentions(boolean allowed) {
    changes.change(() -> safety.allowMentions(allowed));
  }
}
