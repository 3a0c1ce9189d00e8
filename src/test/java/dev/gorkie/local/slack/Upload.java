package dev.gorkie.local.slack;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file a person is about to add: its name, and where its bytes come from. They are streamed and never held as a whole.
///
/// @param foreign whether it belongs to another company's workspace, so that events carry no more than its id
public record Upload(String name, Source source, boolean foreign) {

  /// Gives the bytes from their beginning.
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }

  public static Upload text(String name, String text) {
    return bytes(name, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Upload bytes(String name, byte[] bytes) {
    var own = bytes.clone();
    return new Upload(name, () -> new ByteArrayInputStream(own), false);
  }

  public static Upload path(Path path) {
    return new Upload(path.getFileName().toString(), () -> Files.newInputStream(path), false);
  }

  /// So many bytes, the same ones each time.
  public static Upload generated(String name, long bytes) {
    return new Upload(name, () -> new GeneratedBytes(bytes), false);
  }

  public Upload fromAnotherWorkspace() {
    return new Upload(name, source, true);
  }
}
