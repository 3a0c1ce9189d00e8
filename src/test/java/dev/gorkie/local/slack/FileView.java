package dev.gorkie.local.slack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file in a message, whose bytes a person can have.
public record FileView(
    String id, String name, String title, String mimeType, long size, Path content) {

  public InputStream open() throws IOException {
    return Files.newInputStream(content);
  }

  public byte[] bytes() {
    try {
      return Files.readAllBytes(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
