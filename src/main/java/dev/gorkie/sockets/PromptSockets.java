package dev.gorkie.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/// Sockets that send what they are given at once.
///
/// By itself a socket keeps a short write back until the one before it was acknowledged, which the other side's kernel does only
/// after some 40 ms when it has nothing to say. So a prompt waited for the line before it, and the end of a long card for its
/// beginning.
public final class PromptSockets extends SocketFactory {

  @Override
  public Socket createSocket() throws IOException {
    return prompt(new Socket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return prompt(new Socket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return prompt(new Socket(host, port, localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return prompt(new Socket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return prompt(new Socket(host, port, localHost, localPort));
  }

  private static Socket prompt(Socket socket) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
