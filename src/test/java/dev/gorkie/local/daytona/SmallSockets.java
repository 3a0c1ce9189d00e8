package dev.gorkie.local.daytona;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/// Sockets for which the system holds little; it would take in tens of megabytes for a slow reader otherwise.
final class SmallSockets extends SocketFactory {

  private static final int BYTES = 64 * 1024;

  @Override
  public Socket createSocket() throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(BYTES);
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
    throw new UnsupportedOperationException();
  }
}
