package dev.gorkie.daytona;

import java.util.UUID;

/// A path on the machine. Only absolute ones are sent: what a relative one means is the toolbox's affair.
final class RemotePath {

  static String checked(String path) {
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("Not an absolute path");
    }
    return path;
  }

  /// A name in the same directory, so that a move is a rename. A new one and not the old one made longer, since that may
  /// be as long as a name may be; and one that ends in a letter, since Daytona trims an upload's path.
  static String besides(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1) + "." + UUID.randomUUID() + ".part";
  }

  private RemotePath() {}
}
