package dev.gorkie.handoff;

import java.io.IOException;
import java.time.Instant;
import java.util.List;

/// Where deliveries wait that Lambda has given up after its own tries.
public interface Failures {

  /// Some of them; they stay there until they are removed.
  List<Failed> look() throws IOException;

  void remove(Failed failed) throws IOException;

  /// What the worker was invoked with; a wake has no delivery.
  ///
  /// @param since when Lambda gave it up
  record Failed(String receipt, Delivery delivery, Instant since) {}
}
