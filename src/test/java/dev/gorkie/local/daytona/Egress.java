package dev.gorkie.local.daytona;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;

/// The way out of the sandboxes that have secrets: a proxy that changes the heads of requests, and nothing else of them.
final class Egress implements AutoCloseable {

  private static final int HEAD_BYTES_MAX = 64 * 1024;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final Pattern LENGTH =
      Pattern.compile("(?im)^content-length:[ \\t]*(\\d+)[ \\t]*\\r?$");
  private static final Pattern CHUNKED =
      Pattern.compile("(?im)^transfer-encoding:[ \\t]*chunked[ \\t]*\\r?$");

  private final ExecutorService connections = Executors.newVirtualThreadPerTaskExecutor();
  private final ServerSocket door;
  // Of a host and a head what is sent in the head's place.
  private final BinaryOperator<String> filled;

  private Egress(ServerSocket door, BinaryOperator<String> filled) {
    this.door = door;
    this.filled = filled;
  }

  static Egress start(BinaryOperator<String> filled) {
    try {
      var egress = new Egress(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), filled);
      egress.connections.execute(egress::accept);
      return egress;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  int port() {
    return door.getLocalPort();
  }

  @Override
  public void close() {
    quietly(door);
    connections.shutdownNow();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        var client = door.accept();
        connections.execute(() -> serve(client));
      } catch (IOException _) {
        return; // it is closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        var in = new BufferedInputStream(client.getInputStream())) {
      var head = head(in);
      var words = head.split(" ", 3);
      if (words.length < 3) {
        return;
      }
      if (words[0].equals("CONNECT")) {
        tunnel(client, in, words[1]);
      } else {
        forward(client, in, head, URI.create(words[1]));
      }
    } catch (IOException | IllegalArgumentException _) {
      // One side has left, or speaks something else: its connection ends.
    }
  }

  private void tunnel(Socket client, InputStream in, String place) throws IOException {
    var colon = place.lastIndexOf(':');
    var host = place.substring(0, colon);
    try (var server = new Socket(host, Integer.parseInt(place.substring(colon + 1)))) {
      client
          .getOutputStream()
          .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      connections.execute(() -> pump(server, client));
      in.mark(1);
      var first = in.read();
      in.reset();
      if (first == TLS_HANDSHAKE) {
        in.transferTo(server.getOutputStream());
        return;
      }
      for (var head = head(in); !head.isEmpty(); head = head(in)) {
        pass(in, server.getOutputStream(), host, head);
      }
    }
  }

  private void forward(Socket client, InputStream in, String head, URI target) throws IOException {
    var port = target.getPort() < 0 ? 80 : target.getPort();
    try (var server = new Socket(target.getHost(), port)) {
      var path =
          target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
      var asked =
          head.replace(target.toString(), path).replaceFirst("\r\n", "\r\nConnection: close\r\n");
      pass(in, server.getOutputStream(), target.getHost(), asked);
      pump(server, client);
    }
  }

  private void pass(InputStream in, OutputStream out, String host, String head) throws IOException {
    out.write(filled.apply(host, head).getBytes(StandardCharsets.ISO_8859_1));
    var length = LENGTH.matcher(head);
    if (length.find()) {
      copy(in, out, Long.parseLong(length.group(1)));
    } else if (CHUNKED.matcher(head).find()) {
      for (var size = chunk(in, out); size > 0; size = chunk(in, out)) {
        copy(in, out, size + 2);
      }
      copy(in, out, 2);
    }
    out.flush();
  }

  private static long chunk(InputStream in, OutputStream out) throws IOException {
    var line = new ByteArrayOutputStream();
    for (var next = in.read(); next >= 0; next = in.read()) {
      line.write(next);
      if (next == '\n') {
        break;
      }
    }
    out.write(line.toByteArray());
    var size = line.toString(StandardCharsets.US_ASCII).split(";", 2)[0].strip();
    return size.isEmpty() ? 0 : Long.parseLong(size, 16);
  }

  private static void copy(InputStream in, OutputStream out, long bytes) throws IOException {
    var buffer = new byte[8192];
    for (var left = bytes; left > 0; ) {
      var read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new IOException("it broke off");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }

  private static void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // Whoever has left is not told.
    } finally {
      quietly(to);
      quietly(from);
    }
  }

  /// Up to the empty line, with it; nothing at the end of the connection.
  private static String head(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    var ends = 0;
    for (var next = in.read(); next >= 0 && head.size() < HEAD_BYTES_MAX; next = in.read()) {
      head.write(next);
      ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
      if (ends == 2) {
        return head.toString(StandardCharsets.ISO_8859_1);
      }
    }
    return "";
  }

  private static void quietly(Closeable one) {
    try {
      one.close();
    } catch (IOException _) {
      // Then it is closed already.
    }
  }
}
