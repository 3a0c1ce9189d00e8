package dev.gorkie.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.slack.Reply;
import dev.gorkie.slack.SlackFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/// The way out for the files of one turn. The same content is shown once, whichever worker has the turn.
///
/// The sandbox is asked to open the path, to see that what it opened is a regular file below the work directory, and to
/// copy it aside: what is uploaded is what was looked at, and its length does not change any more.
public final class Outgoing {

  private static final Logger LOG = Logger.getLogger(Outgoing.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEEPER = "\"$GORKIE/bin/keeper\"";

  // A gigabyte is copied and hashed in some seconds; a busy machine takes longer.
  private static final Duration COPIED_WITHIN = Duration.ofSeconds(60);

  // The keeper only looks and copies to the same place, and bytes that break off show nothing in
  // Slack.
  private static final int TRIES_MAX = 3;
  // Of one turn; more is no answer any more, and each is a call to Slack and one to the sandbox.
  static final int FILES_MAX = 50;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  // As many as Slack takes in one message of a person's; what it says of an app's nobody has told.
  private static final int TOGETHER_MAX = 10;

  private final Sandbox sandbox;
  private final Reply reply;
  private final Set<String> shown = new HashSet<>();
  private int asked;

  Outgoing(Sandbox sandbox, Reply reply) {
    this.sandbox = sandbox;
    this.reply = reply;
  }

  /// A file that Pi shows. The path is Pi's word for it and nothing is taken for granted.
  public Carried show(String path, String title) throws InterruptedException {
    if (++asked > FILES_MAX) {
      return new Carried.Refused(
          path,
          "One answer shows %d files at most. Ask me for the others in your next message."
              .formatted(FILES_MAX));
    }
    var argument =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(path.getBytes(StandardCharsets.UTF_8));
    var command = KEEPER + " show " + argument + " --max " + Files.BYTES_MAX;
    return told(path, () -> carry(path, ask(command), title));
  }

  /// Whatever lies in `output/display` at the end of a turn and was not shown yet.
  public List<Carried> showDisplayed() throws InterruptedException {
    var carried = new ArrayList<Carried>();
    JsonNode files;
    try {
      files = ask(KEEPER + " display").path("files");
    } catch (Failure | IOException e) {
      LOG.warnf(e, "Sandbox %s: output/display was not looked at", sandbox.id());
      return List.of();
    }
    var fresh = new LinkedHashMap<String, JsonNode>();
    for (var file : files) {
      var hash = file.path("sha256").asText();
      var isNew = file.has("error") || !shown.contains(hash) && !reply.hasShown(hash);
      if (isNew && fresh.size() < FILES_MAX) {
        fresh.putIfAbsent(file.has("error") ? file.path("path").asText() : hash, file);
      }
    }
    var whole = fresh.values().stream().filter(Outgoing::isWhole).toList();
    if (whole.size() > 1) {
      for (var from = 0; from < whole.size(); from += TOGETHER_MAX) {
        var to = Math.min(from + TOGETHER_MAX, whole.size());
        carried.addAll(carryTogether(whole.subList(from, to)));
      }
      fresh.values().removeAll(whole);
    }
    for (var file : fresh.values()) {
      var path = file.path("path").asText();
      carried.add(told(path, () -> carry(path, file, file.path("name").asText())));
    }
    return carried;
  }

  private List<Carried> carryTogether(List<JsonNode> files) throws InterruptedException {
    var pieces = new LinkedHashMap<Reply.Piece, JsonNode>();
    for (var file : files) {
      var name = FileNames.safe(file.path("name").asText());
      var hash = file.path("sha256").asText();
      pieces.put(
          new Reply.Piece(
              hash, name, name, file.path("size").asLong(), () -> sandbox.download(copyOf(hash))),
          file);
    }
    var failed = reply.uploadTogether(List.copyOf(pieces.keySet()));
    var carried = new ArrayList<Carried>();
    for (var one : pieces.entrySet()) {
      var piece = one.getKey();
      var path = one.getValue().path("path").asText();
      var failure = failed.get(piece);
      if (failure == null) {
        shown.add(piece.sha256());
        carried.add(new Carried.Out(piece.name(), piece.sha256()));
      } else if (isCutOff(failure)) {
        // By itself it is tried more than once.
        carried.add(told(path, () -> carry(path, one.getValue(), piece.name())));
      } else {
        LOG.warnf("Sandbox %s: a file was not shown: %s", sandbox.id(), failure.getMessage());
        carried.add(new Carried.Refused(path, failure.code().sentence()));
      }
    }
    return carried;
  }

  private Carried carry(String path, JsonNode file, String title)
      throws IOException, InterruptedException {
    if (file.has("error")) {
      return new Carried.Refused(path, reason(file.path("error").asText()));
    }
    var name = FileNames.safe(file.path("name").asText());
    var hash = file.path("sha256").asText();
    var bytes = file.path("size").asLong();
    if (!isWhole(file)) {
      throw new IOException("The keeper's answer is none");
    }
    if (!shown.add(hash) || reply.hasShown(hash)) {
      return new Carried.Out(name, hash);
    }
    for (var tries = 1; ; tries++) {
      try (var content = sandbox.download(copyOf(hash))) {
        reply.upload(hash, name, title.isBlank() ? name : title, bytes, content);
        return new Carried.Out(name, hash);
      } catch (Failure failure) {
        if (!isCutOff(failure) || tries == TRIES_MAX) {
          throw failure;
        }
        LOG.infof("Sandbox %s: a file is carried again: %s", sandbox.id(), failure.getMessage());
      }
    }
  }

  /// Whether it says of itself what can be true.
  private static boolean isWhole(JsonNode file) {
    return !file.has("error")
        && HASH.matcher(file.path("sha256").asText()).matches()
        && file.path("size").asLong() <= Files.BYTES_MAX;
  }

  /// Where the keeper puts what it has copied. Derived, so that no answer can name another place; and what lies there is uploaded
  /// only when it is what the hash says.
  private String copyOf(String hash) {
    return sandbox.homeDirectory() + "/.gorkie/out/" + hash;
  }

  /// Nothing of it was shown, on whichever side of us it broke.
  private static boolean isCutOff(Failure failure) {
    return failure.code() == SandboxFailure.UNREACHABLE
        || failure.code() == SlackFailure.UNREACHABLE;
  }

  private JsonNode ask(String command) throws IOException {
    var answer = executed(command);
    if (answer.exitCode() != 0) {
      throw new IOException("The keeper answered with exit code " + answer.exitCode());
    }
    return JSON.readTree(answer.output());
  }

  private Sandbox.Executed executed(String command) {
    for (var tries = 1; ; tries++) {
      try {
        return sandbox.execute(command, COPIED_WITHIN);
      } catch (Failure failure) {
        if (failure.code() != SandboxFailure.UNREACHABLE || tries == TRIES_MAX) {
          throw failure;
        }
        LOG.infof("Sandbox %s is asked again: %s", sandbox.id(), failure.getMessage());
      }
    }
  }

  private interface Carrying {
    Carried carry() throws IOException, InterruptedException;
  }

  private Carried told(String path, Carrying carrying) throws InterruptedException {
    try {
      return carrying.carry();
    } catch (Failure failure) {
      LOG.warnf("Sandbox %s: a file was not shown: %s", sandbox.id(), failure.getMessage());
      return new Carried.Refused(path, failure.code().sentence());
    } catch (IOException e) {
      LOG.warnf(e, "Sandbox %s: a file was not shown", sandbox.id());
      return new Carried.Refused(
          path, "It could not be read from this thread's computer. Ask me to show it again.");
    }
  }

  private static String reason(String error) {
    return switch (error) {
      case "missing" -> "It is not there any more. Ask me to make it again.";
      case "outside" -> "Only files in the work directory can be shown. Ask me to copy it there.";
      case "not_a_file" -> "It is not a regular file. Ask me to pack it into one.";
      case "too_large" -> "It is larger than 1 GB, and Slack takes no more. Ask me to split it.";
      case "disk_full" -> "The disk is full. Ask me to remove what is not needed.";
      default -> "It could not be read. Ask me to show it again.";
    };
  }
}
