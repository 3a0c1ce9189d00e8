package dev.gorkie.campaign;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A request or an answer of HTTP 1.1, whole.
///
/// @param head the first line and the headers, without the empty line
/// @param body as it travels, chunks and all
record HttpMessage(List<String> head, byte[] body) {

  private static final int HEAD_BYTES_MAX = 64 * 1024;

  /// Empty at the end of the connection.
  static Optional<HttpMessage> request(InputStream from) throws IOException {
    var head = head(from);
    return head.isEmpty()
        ? Optional.empty()
        : Optional.of(new HttpMessage(head, body(head, from, false)));
  }

  /// The answer to a request of this method. Interim ones are passed over.
  static HttpMessage answer(InputStream from, String method) throws IOException {
    while (true) {
      var head = head(from);
      if (head.isEmpty()) {
        throw new EOFException("no answer");
      }
      var status = head.getFirst().split(" ")[1];
      if (status.equals("100")) {
        continue;
      }
      var without =
          method.equals("HEAD")
              || status.equals("101")
              || status.equals("204")
              || status.equals("304");
      return new HttpMessage(head, without ? new byte[0] : body(head, from, true));
    }
  }

  String method() {
    return head.getFirst().split(" ")[0];
  }

  String path() {
    return head.getFirst().split(" ")[1];
  }

  boolean isUpgrade() {
    return head.getFirst().split(" ")[1].equals("101");
  }

  Optional<String> header(String name) {
    return header(head, name);
  }

  /// Whether the connection goes on after this answer.
  boolean isLast() {
    return header("connection").filter(value -> value.equalsIgnoreCase("close")).isPresent()
        || header("transfer-encoding").isEmpty()
            && header("content-length").isEmpty()
            && body.length > 0;
  }

  HttpMessage without(String name) {
    var kept =
        head.stream()
            .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
            .toList();
    return new HttpMessage(kept, body);
  }

  /// The same with another text in its body.
  HttpMessage replacing(String one, String other) {
    var text = new String(body, StandardCharsets.ISO_8859_1);
    if (!text.contains(one) || header("content-length").isEmpty()) {
      return this;
    }
    var changed = text.replace(one, other).getBytes(StandardCharsets.ISO_8859_1);
    var lines = new ArrayList<>(without("content-length").head());
    lines.add("Content-Length: " + changed.length);
    return new HttpMessage(lines, changed);
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  void writeTo(OutputStream to) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var line : head) {
      bytes.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }
    bytes.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
    bytes.writeBytes(body);
    bytes.writeTo(to);
    to.flush();
  }

  private static List<String> head(InputStream from) throws IOException {
    var lines = new ArrayList<String>();
    var left = HEAD_BYTES_MAX;
    while (true) {
      var line = line(from);
      if (line.isEmpty()) {
        return lines; // the connection ended before or within it
      }
      var text = new String(line.get(), StandardCharsets.ISO_8859_1).stripTrailing();
      left -= line.get().length;
      if (left < 0) {
        throw new IOException("The head of a message is too long");
      }
      if (!text.isEmpty()) {
        lines.add(text);
      } else if (!lines.isEmpty()) {
        return lines;
      }
    }
  }

  /// With its end; empty when the connection ended first.
  private static Optional<byte[]> line(InputStream from) throws IOException {
    var bytes = new ByteArrayOutputStream();
    while (true) {
      var next = from.read();
      if (next < 0) {
        return Optional.empty();
      }
      bytes.write(next);
      if (next == '\n') {
        return Optional.of(bytes.toByteArray());
      }
    }
  }

  private static byte[] body(List<String> head, InputStream from, boolean untilEnd)
      throws IOException {
    var chunked =
        header(head, "transfer-encoding")
            .filter(value -> value.equalsIgnoreCase("chunked"))
            .isPresent();
    if (chunked) {
      return chunks(from);
    }
    var length = header(head, "content-length").map(Integer::parseInt);
    if (length.isPresent()) {
      var body = from.readNBytes(length.get());
      if (body.length < length.get()) {
        throw new EOFException("a body broke off");
      }
      return body;
    }
    return untilEnd ? from.readAllBytes() : new byte[0];
  }

  private static byte[] chunks(InputStream from) throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      var line = line(from).orElseThrow(EOFException::new);
      body.writeBytes(line);
      var size =
          Integer.parseInt(
              new String(line, StandardCharsets.ISO_8859_1).strip().replaceFirst(";.*", ""), 16);
      var chunk = from.readNBytes(size + 2);
      if (chunk.length < size + 2) {
        throw new EOFException("a chunk broke off");
      }
      body.writeBytes(chunk);
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  private static Optional<String> header(List<String> head, String name) {
    return head.stream()
        .skip(1)
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }
}
