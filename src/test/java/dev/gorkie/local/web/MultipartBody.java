package dev.gorkie.local.web;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `multipart/form-data` body, read part after part in the order in which it was sent; no part is kept.
public final class MultipartBody {

  /// One part; its content is gone once the next part is asked for.
  public record Part(String name, InputStream content) {}

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
  private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]*)\"");

  private final InputStream body;
  private final String boundary;
  // What ends a part: the line end belongs to the boundary and not to the content.
  private final byte[] delimiter;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int to;
  private Optional<Content> open = Optional.empty();
  private boolean ended;

  private MultipartBody(InputStream body, String boundary) {
    this.body = body;
    this.boundary = boundary;
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Nothing when the call's body is of another kind.
  public static Optional<MultipartBody> of(Call call) {
    return call.header("Content-Type")
        .filter(type -> type.startsWith("multipart/form-data"))
        .map(BOUNDARY::matcher)
        .filter(Matcher::find)
        .map(match -> new MultipartBody(call.body(), match.group(1)));
  }

  /// Nothing after the last one.
  ///
  /// @throws IOException when the body ends before its last boundary
  public Optional<Part> next() throws IOException {
    if (open.isPresent()) {
      open.get().transferTo(OutputStream.nullOutputStream());
    } else {
      ended = line().startsWith("--" + boundary + "--");
    }
    if (ended) {
      return Optional.empty();
    }
    var name = "";
    for (var header = line(); !header.isEmpty(); header = line()) {
      var match = NAME.matcher(header);
      if (header.regionMatches(true, 0, "content-disposition:", 0, 20) && match.find()) {
        name = match.group(1);
      }
    }
    var content = new Content();
    open = Optional.of(content);
    return Optional.of(new Part(name, content));
  }

  private String line() throws IOException {
    for (var end = from; ; end++) {
      if (end == to) {
        var read = end - from;
        fill(read + 1);
        end = from + read;
      }
      if (buffer[end] == '\n') {
        var line = new String(buffer, from, end - from, StandardCharsets.UTF_8);
        from = end + 1;
        return line.stripTrailing();
      }
    }
  }

  /// Has at least so many bytes in the buffer, from its beginning on where they would not fit otherwise.
  private void fill(int count) throws IOException {
    if (count > buffer.length) {
      throw new IOException("a line of a multipart body is too long");
    }
    if (from + count > buffer.length) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    while (to - from < count) {
      var read = body.read(buffer, to, buffer.length - to);
      if (read < 0) {
        throw new EOFException("multipart: NextPart: EOF");
      }
      to += read;
    }
  }

  /// Up to the next boundary.
  private final class Content extends InputStream {

    private boolean over;

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (over) {
        return -1;
      }
      fill(delimiter.length);
      if (Arrays.equals(buffer, from, from + delimiter.length, delimiter, 0, delimiter.length)) {
        over = true;
        from += delimiter.length;
        // The last boundary need not be followed by a line end.
        fill(2);
        ended = buffer[from] == '-' && buffer[from + 1] == '-';
        if (!ended) {
          line();
        }
        return -1;
      }
      var end = from + 1;
      while (end < to && buffer[end] != '\r') {
        end++;
      }
      var count = Math.min(length, end - from);
      System.arraycopy(buffer, from, target, offset, count);
      from += count;
      return count;
    }
  }
}
