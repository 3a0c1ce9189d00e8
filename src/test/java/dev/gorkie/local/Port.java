package dev.gorkie.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/// A port on the loopback address.
final class Port {

  private Port() {}

  /// The port itself, when nobody listens there; 0, which is any that is free, always.
  ///
  /// @param remedy what to do when somebody does
  static int free(int port, String remedy) {
    if (port == 0) {
      return port;
    }
    try (var probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return port;
    } catch (IOException taken) {
      throw new IllegalStateException("Port " + port + " is in use. " + remedy, taken);
    }
  }
}
