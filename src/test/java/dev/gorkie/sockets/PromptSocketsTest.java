package dev.gorkie.sockets;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptSocketsTest {

  private static final int ANY_PORT = 0;

  @Test
  void no_socket_keeps_a_short_write_back() throws Exception {
    var here = InetAddress.getLoopbackAddress();
    var sockets = new PromptSockets();
    try (var server = new ServerSocket(ANY_PORT, 10, here);
        var unconnected = sockets.createSocket();
        var byName = sockets.createSocket(here.getHostName(), server.getLocalPort());
        var byNameFrom =
            sockets.createSocket(here.getHostName(), server.getLocalPort(), here, ANY_PORT);
        var byAddress = sockets.createSocket(here, server.getLocalPort());
        var byAddressFrom = sockets.createSocket(here, server.getLocalPort(), here, ANY_PORT)) {
      unconnected.connect(server.getLocalSocketAddress());

      for (Socket socket : List.of(unconnected, byName, byNameFrom, byAddress, byAddressFrom)) {
        assertTrue(socket.getTcpNoDelay());
      }
    }
  }
}
