package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.MultipartBody;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The files of one sandbox, as its toolbox serves them.
final class SandboxFiles {

  private static final int PATH_BYTES_MAX = 16 * 1024;
  private static final String ALL_PERMISSIONS = "rwxrwxrwx";
  private static final Pattern FIELD = Pattern.compile("files\\[(\\d+)]\\.(path|file)");
  private static final DateTimeFormatter GO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.nnnnnnnnn Z z", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Shell shell;

  SandboxFiles(Shell shell) {
    this.shell = shell;
  }

  Answer list(Call call) throws IOException {
    var directory = existing(call, "path");
    if (!Files.isDirectory(directory)) {
      throw new Refused(400, "path is not a directory");
    }
    var depth = call.query("depth").map(Integer::parseInt).orElse(1);
    var list = Json.object().putArray("files");
    try (var entries = Files.walk(directory, depth)) {
      for (var entry : entries.skip(1).sorted().toList()) {
        list.add(info(entry));
      }
    }
    return Answer.json(200, list);
  }

  Answer info(Call call) throws IOException {
    return Answer.json(200, info(existing(call, "path")));
  }

  Answer createDirectory(Call call) throws IOException {
    var directory = path(call, "path");
    var parents = directory.getParent();
    if (parents != null) {
      Files.createDirectories(parents);
    }
    if (!Files.isDirectory(directory)) {
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(directory, permissions(call.query("mode").orElse("0755")));
    }
    return Answer.empty(201);
  }

  Answer delete(Call call) throws IOException {
    var path = existing(call, "path");
    var recursive = call.query("recursive").map(Boolean::parseBoolean).orElse(false);
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && !recursive) {
      throw new Refused(400, "cannot delete directory without recursive flag");
    }
    Disk.delete(path);
    return Answer.empty(204);
  }

  Answer move(Call call) throws IOException {
    var source = existing(call, "source");
    var destination = path(call, "destination");
    Files.move(
        source, destination, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return Answer.empty(200);
  }

  Answer setPermissions(Call call) throws IOException {
    var path = existing(call, "path");
    var mode = call.query("mode").filter(asked -> !asked.isEmpty());
    if (mode.isPresent()) {
      Files.setPosixFilePermissions(path, permissions(mode.get()));
    }
    return Answer.empty(200);
  }

  Answer search(Call call) throws IOException {
    var directory = existing(call, "path");
    var glob = FileSystems.getDefault().getPathMatcher("glob:" + call.query("pattern").orElse("*"));
    var found = Json.object();
    var files = found.putArray("files");
    try (var entries = Files.walk(directory)) {
      entries
          .filter(
              entry -> Optional.ofNullable(entry.getFileName()).filter(glob::matches).isPresent())
          .sorted()
          .forEach(entry -> files.add(entry.toString()));
    }
    return Answer.json(200, found);
  }

  Answer download(Call call) throws IOException {
    var path = existing(call, "path");
    if (Files.isDirectory(path)) {
      throw new Refused(400, "path is a directory");
    }
    return new Answer.Streamed(200, "application/octet-stream", path);
  }

  /// One file, as a part called `file` or as the whole body.
  Answer upload(Call call) throws IOException {
    var target = path(call, "path");
    var parts = MultipartBody.of(call);
    if (parts.isEmpty()) {
      store(call.body(), target);
    } else {
      var part = parts.get().next();
      while (part.isPresent() && !part.get().name().equals("file")) {
        part = parts.get().next();
      }
      store(part.orElseThrow(() -> new Refused(400, "file is required")).content(), target);
    }
    var stored = Json.object();
    stored.put("name", String.valueOf(target.getFileName()));
    stored.put("path", target.toString());
    stored.put("type", "file");
    return Answer.json(200, stored);
  }

  /// Many files; of each its path comes before its content, and what arrives is in place before the next arrives.
  Answer uploadMany(Call call) throws IOException {
    var parts =
        MultipartBody.of(call).orElseThrow(() -> new Refused(400, "multipart form expected"));
    var paths = new HashMap<String, String>();
    var answer = Json.object();
    var errors = Json.object().putArray("errors");
    var stored = answer.putArray("files");
    for (var part = parts.next(); part.isPresent(); part = parts.next()) {
      var name = part.get().name();
      var field = FIELD.matcher(name);
      if (!field.matches()) {
        continue;
      }
      var content = part.get().content();
      if (field.group(2).equals("path")) {
        paths.put(
            field.group(1), new String(content.readNBytes(PATH_BYTES_MAX), StandardCharsets.UTF_8));
      } else if (!paths.containsKey(field.group(1))) {
        errors.add("file " + field.group(1) + ": missing path metadata before file content");
      } else {
        storeOne(paths.getOrDefault(field.group(1), ""), content, stored, errors);
      }
    }
    if (!errors.isEmpty()) {
      answer.set("errors", errors);
    }
    return Answer.json(errors.isEmpty() ? 200 : 400, answer);
  }

  private void storeOne(String path, InputStream content, ArrayNode stored, ArrayNode errors) {
    try {
      var target = shell.resolve(path);
      var bytes = store(content, target);
      stored.addObject().put("path", target.toString()).put("bytes", bytes);
    } catch (IOException failure) {
      errors.add(path + ": " + failure.getMessage());
    }
  }

  private static long store(InputStream content, Path target) throws IOException {
    var parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try (var file = Files.newOutputStream(target)) {
      return content.transferTo(file);
    }
  }

  private Path path(Call call, String name) {
    var path = call.query(name).orElse("");
    if (path.isEmpty()) {
      throw new Refused(400, name + " is required");
    }
    return shell.resolve(path);
  }

  private Path existing(Call call, String name) {
    var path = call.query(name).map(shell::resolve).orElse(shell.work());
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new Refused(404, "FILE_NOT_FOUND", "stat " + path + ": no such file or directory");
    }
    return path;
  }

  private static ObjectNode info(Path path) throws IOException {
    var attributes =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    var modified = attributes.lastModifiedTime().toInstant();
    var letters = PosixFilePermissions.toString(attributes.permissions());
    var kind = attributes.isDirectory() ? "d" : attributes.isSymbolicLink() ? "L" : "-";
    var info = Json.object();
    info.put("name", String.valueOf(path.getFileName()));
    info.put("path", path.toString());
    info.put("size", attributes.size());
    info.put("mode", kind + letters);
    info.put("modTime", GO_TIME.format(modified));
    info.put("modifiedAt", modified.toString());
    info.put("isDir", attributes.isDirectory());
    info.put("owner", attributes.owner().getName());
    info.put("group", attributes.group().getName());
    info.put("permissions", octal(letters));
    return info;
  }

  /// `rwxr-x---` as `0750`.
  private static String octal(String letters) {
    var bits = 0;
    for (var letter : letters.toCharArray()) {
      bits = bits << 1 | (letter == '-' ? 0 : 1);
    }
    return "0%o".formatted(bits);
  }

  private static Set<PosixFilePermission> permissions(String octal) {
    try {
      var bits = Integer.parseInt(octal, 8);
      var letters = new StringBuilder(ALL_PERMISSIONS);
      for (var place = 0; place < letters.length(); place++) {
        if ((bits >> (letters.length() - 1 - place) & 1) == 0) {
          letters.setCharAt(place, '-');
        }
      }
      return PosixFilePermissions.fromString(letters.toString());
    } catch (NumberFormatException _) {
      throw new Refused(400, "invalid mode format");
    }
  }
}
