package dev.gorkie.sandbox;

import java.util.List;
import java.util.Optional;

/// Whoever rents machines out to us, as an operator looks at him before the first message.
public interface Landlord {

  /// What can be seen of the account without a machine, in the order in which one would look. What cannot be asked is no
  /// failure but a finding.
  ///
  /// @param image the image that this version is made for, where it is known
  /// @param modelHost what machines must reach
  List<Finding> examine(Optional<String> image, String modelHost) throws InterruptedException;

  /// Whether anybody answers there, found out within some seconds.
  Finding answers() throws InterruptedException;

  /// A machine that was only tried out. Nothing of a thread's is ever given back.
  void giveBack(SandboxId id) throws InterruptedException;
}
