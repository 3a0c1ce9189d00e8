package dev.gorkie.pi;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/// The same words as through a terminal, asked for piece by piece. For when a terminal can't be had.
final class ExecuteLink implements Link {

  // Something on the way may cut a request that is silent for longer than half a minute.
  private static final Duration POLL = Duration.ofSeconds(20);
  // The keeper says after 10 s that it did not come up.
  private static final Duration STARTED_WITHIN = Duration.ofSeconds(30);
  private static final Duration ANSWER_AFTER_POLL = Duration.ofSeconds(10);

  // Whoever listens looks up twice a second; to ask that often would be a request after the other
  // for nothing.
  private static final Duration POLL_LEAST = Duration.ofSeconds(1);

  // Counts as a sign of life: the keeper was asked and has answered.
  private static final byte[] ANSWERED = "#{}\n".getBytes(StandardCharsets.US_ASCII);

  private static final int PIECE_BYTES_MAX = 256 * 1024;

  private final Sandbox sandbox;
  private final long fence;
  private long offset;
  private boolean keeperRuns;
  // What came with the answer whether one runs.
  private byte[] early = {};

  private ExecuteLink(Sandbox sandbox, long fence, long offset) {
    this.sandbox = sandbox;
    this.fence = fence;
    this.offset = offset;
  }

  static ExecuteLink open(Sandbox sandbox, long fence, long offset) {
    return new ExecuteLink(sandbox, fence, offset);
  }

  @Override
  public byte[] read(Deadline deadline) throws IOException {
    if (early.length > 0) {
      var bytes = early;
      early = new byte[0];
      return bytes;
    }
    var wait = deadline.within(POLL).left();
    return ask(wait.compareTo(POLL_LEAST) < 0 ? POLL_LEAST : wait);
  }

  /// A key cannot travel this way: a command's text can be read back. So the keeper must be there already, or the machine
  /// have a secret in the key's place. One that runs with other words than these ends itself when it is idle.
  @Override
  public void start(Launch launch, Beginning beginning) throws IOException {
    early = ask(Duration.ZERO);
    var open = launch.openLine(fence, beginning);
    if (open.isEmpty()) {
      if (keeperRuns && !(beginning instanceof Beginning.ByForce)) {
        return;
      }
      throw new Failure(
          PiFailure.NO_TERMINAL, "no keeper runs and there is no terminal to start one");
    }
    var words = Base64.getUrlEncoder().encodeToString(open.get().getBytes(StandardCharsets.UTF_8));
    var executed = execute(Keeper.PROGRAM + " start " + words, STARTED_WITHIN);
    if (executed.exitCode() != 0) {
      throw new IOException("The keeper does not start: " + executed.exitCode());
    }
  }

  /// Whoever has started has had an answer.
  @Override
  public void awaitGreeting(Deadline deadline) {}

  @Override
  public void give(String id, String command) throws IOException {
    try {
      Keeper.drop(sandbox, fence, id, command);
    } catch (Failure failure) {
      throw new IOException("A command could not be put into the keeper's folder", failure);
    }
  }

  private byte[] ask(Duration wait) throws IOException {
    var command =
        "%s read --fence %d --offset %d --wait %d --max %d"
            .formatted(Keeper.PROGRAM, fence, offset, wait.toSeconds(), PIECE_BYTES_MAX);
    var executed = execute(command, wait.plus(ANSWER_AFTER_POLL));
    if (executed.exitCode() != 0) {
      throw new IOException("The keeper's read ended with " + executed.exitCode());
    }
    var answer = Bounds.JSON.readTree(executed.output());
    keeperRuns = answer.path("hello").path("boot").isTextual();
    var data = decoded(answer.path("data").asText());
    var from = Bounds.count(answer.path("offset").asLong(), Long.MAX_VALUE - PIECE_BYTES_MAX);
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ANSWERED);
    if (from != offset) {
      bytes.writeBytes(
          ("#{\"hello\":{\"from\":" + from + "}}\n").getBytes(StandardCharsets.US_ASCII));
    }
    offset = from + data.length;
    bytes.writeBytes(data);
    return bytes.toByteArray();
  }

  /// What was asked for is no longer than it was asked to be.
  private static byte[] decoded(String data) throws IOException {
    try {
      var bytes = Base64.getDecoder().decode(data);
      if (bytes.length > PIECE_BYTES_MAX) {
        throw new IOException("The keeper's read is longer than was asked for");
      }
      return bytes;
    } catch (IllegalArgumentException e) {
      throw new IOException("The keeper's read is no Base64", e);
    }
  }

  private Sandbox.Executed execute(String command, Duration most) throws IOException {
    try {
      return sandbox.execute(command, most);
    } catch (Failure failure) {
      throw new IOException("The keeper could not be asked", failure);
    }
  }

  @Override
  public void close() {}
}
