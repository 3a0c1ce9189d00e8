package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gorkie.Failure;
import dev.gorkie.HoldLost;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/// Carries files into a thread: asks where to, streams the bytes there, and says that they belong to the thread.
///
/// Only the last of these shows anything, and Slack can be asked whether it was done.
final class Uploads {

  static final int NAME_CHARACTERS_MAX = 200;
  private static final int LOOKS = 2;
  private static final int LOST_LOOKS_MAX = 3;
  private static final int SENT_MAX = 5;
  // Slack's word for a file that is not complete, and for one whose bytes it does not have.
  private static final String UNKNOWN = "file_not_found";
  private static final int CHUNK_BYTES = 64 * 1024;

  private final Line line;
  private final Address address;
  private final Ledger ledger;
  private final Duration settling;

  Uploads(Line line, Address address, Ledger ledger, Duration settling) {
    this.line = line;
    this.address = address;
    this.ledger = ledger;
    this.settling = settling;
  }

  /// A file's bytes, which can be read once.
  static final class Source {
    private final String name;
    private final long bytes;
    private final InputStream content;
    private final Optional<String> sha256;
    private boolean spent;

    /// @param sha256 what these bytes must come to, where it is known
    Source(String name, long bytes, InputStream content, Optional<String> sha256) {
      this.name = name;
      this.bytes = bytes;
      this.content = content;
      this.sha256 = sha256;
    }
  }

  /// One try, at most one completion. A file that is there already is not shown, one whose bytes are at Slack is not
  /// sent again.
  ///
  /// @throws Failure when the bytes did not get to Slack
  Step show(OutboxRow row, Source source) throws InterruptedException {
    if (row.is(OutboxRow.SENT) || row.is(OutboxRow.AMBIGUOUS)) {
      var step = goOn(row);
      // What Slack has thrown away meanwhile is uploaded anew.
      if (!(step instanceof Step.Refused) || source.spent) {
        return step;
      }
      ledger.notSaid(row);
    }
    return row.is(OutboxRow.CONFIRMED)
        ? new Step.There(row.fileId().orElseThrow())
        : begin(row, source);
  }

  /// How long to wait when bytes did not get through, which says nothing about it.
  Duration pauseAfterFailure() {
    return settling.multipliedBy(5);
  }

  /// Shows the file whose bytes are at Slack, unless it is there.
  Step goOn(OutboxRow row) throws InterruptedException {
    var fileId = row.fileId().orElseThrow();
    var looks = 0;
    var lost = 0;
    while (looks < LOOKS) {
      Thread.sleep(settling);
      // Slack knows no file before it is complete.
      switch (call("files.info", Map.of("file", fileId), Wire.FileInfo.class)) {
        case Ok<Wire.FileInfo> _ -> {
          return there(row, fileId, false);
        }
        case Refused<Wire.FileInfo>(var error) -> {
          if (!error.equals(UNKNOWN)) {
            return new Step.Unsure("files.info: " + error);
          }
          looks++;
        }
        case Later<Wire.FileInfo>(var pause) -> {
          return new Step.NotNow(pause);
        }
        case Lost<Wire.FileInfo>(var why) -> {
          if (++lost == LOST_LOOKS_MAX) {
            return new Step.Unsure(why);
          }
        }
      }
    }
    return complete(row, fileId);
  }

  private Step begin(OutboxRow row, Source source) throws InterruptedException {
    return switch (bring(row, source)) {
      case Ok<String>(var fileId) -> {
        var step = complete(row, fileId);
        if (row.attempts < SENT_MAX && step.equals(new Step.Refused(UNKNOWN))) {
          ledger.notSaid(row);
          throw new Failure(SlackFailure.UNREACHABLE, "the upload did not arrive");
        }
        yield step;
      }
      case Refused<String>(var error) -> new Step.Refused(error);
      case Later<String>(var pause) -> new Step.NotNow(pause);
      case Lost<String> _ -> new Step.NotNow(settling);
    };
  }

  /// Brings the bytes to Slack, which shows nothing of them yet; the answer is the file's id.
  ///
  /// @throws Failure when they did not get there
  Result<String> bring(OutboxRow row, Source source) throws InterruptedException {
    var form = Map.of("filename", safeName(source.name), "length", Long.toString(source.bytes));
    // Asking twice does no harm: what is never completed never appears.
    return switch (call("files.getUploadURLExternal", form, Wire.Upload.class)) {
      case Ok<Wire.Upload>(var place) -> {
        if (place.uploadUrl == null || place.fileId == null) {
          throw new Failure(SlackFailure.REFUSED, "files.getUploadURLExternal told no place");
        }
        send(URI.create(place.uploadUrl), source);
        ledger.uploaded(row, place.fileId);
        yield new Ok<>(place.fileId);
      }
      case Result<Wire.Upload> failed -> failed.map(_ -> "");
    };
  }

  private static String safeName(String name) {
    var last = name.substring(name.lastIndexOf('/') + 1);
    var safe = SafeText.line(last, NAME_CHARACTERS_MAX);
    return safe.isEmpty() ? "file" : safe;
  }

  private void send(URI place, Source source) {
    var api = line.api();
    if (!api.isSlacks(place)) {
      throw new Failure(SlackFailure.REFUSED, "uploads would go to " + place.getHost());
    }
    source.spent = true;
    var body = new Streamed(source);
    var request = new Request.Builder().url(place.toString()).post(body).build();
    try (var response = api.transfers().newCall(request).execute()) {
      if (!response.isSuccessful()) {
        throw new Failure(
            response.code() >= 500 ? SlackFailure.UNREACHABLE : SlackFailure.REFUSED,
            "the upload was answered with " + response.code());
      }
    } catch (IOException e) {
      if (body.isAnother) {
        throw new Failure(
            SlackFailure.FILE_CHANGED, "not the " + source.bytes + " bytes it should be", e);
      }
      // After the last byte only the answer was lost, and completing tells whether Slack has it.
      if (!body.isWhole) {
        throw new Failure(SlackFailure.UNREACHABLE, "the upload was cut off", e);
      }
    }
  }

  /// Completing shows the file in the thread; done twice it would show it twice.
  private Step complete(OutboxRow row, String fileId) throws InterruptedException {
    return switch (complete(Map.of(fileId, row.title), "")) {
      case Ok<Wire.Answer> _ -> there(row, fileId, true);
      case Refused<Wire.Answer>(var error) -> new Step.Refused(error);
      case Later<Wire.Answer>(var pause) -> new Step.NotNow(pause);
      case Lost<Wire.Answer> _ -> new Step.NotNow(settling);
    };
  }

  /// The same for several files, whose bytes are at Slack, in one message. Refused where nothing is known of it: then each is to be
  /// gone on with for itself.
  Step completeTogether(Map<String, OutboxRow> rows, String comment) throws InterruptedException {
    var titles = new LinkedHashMap<String, String>();
    rows.forEach((fileId, row) -> titles.put(fileId, row.title));
    return switch (complete(titles, comment)) {
      case Ok<Wire.Answer> _ -> {
        rows.forEach((fileId, row) -> there(row, fileId, true));
        yield new Step.There("");
      }
      case Later<Wire.Answer>(var pause) -> new Step.NotNow(pause);
      case Refused<Wire.Answer>(var error) -> new Step.Refused(error);
      case Lost<Wire.Answer>(var why) -> new Step.Refused(why);
    };
  }

  private Result<Wire.Answer> complete(Map<String, String> titles, String comment)
      throws InterruptedException {
    var files = JsonNodeFactory.instance.arrayNode();
    titles.forEach((fileId, title) -> files.addObject().put("id", fileId).put("title", title));
    var form = new LinkedHashMap<String, String>();
    form.put("files", files.toString());
    form.put("channel_id", address.channel());
    form.put("thread_ts", address.rootTs());
    if (!comment.isEmpty()) {
      form.put("initial_comment", comment);
    }
    return call("files.completeUploadExternal", form, Wire.Answer.class);
  }

  private Step there(OutboxRow row, String fileId, boolean isMine) {
    if (ledger.confirmFile(row, fileId)) {
      return new Step.There(fileId);
    }
    var confirmed = ledger.find(row.part).filter(it -> it.is(OutboxRow.CONFIRMED));
    if (isMine && confirmed.filter(it -> !it.fileId().equals(Optional.of(fileId))).isPresent()) {
      line.takeAway("files.delete", Map.of("file", fileId));
    }
    throw new HoldLost(ledger.subject() + ", " + row.part + " is another one's");
  }

  private <T extends Wire.Answer> Result<T> call(
      String method, Map<String, String> form, Class<T> type) throws InterruptedException {
    return line.call(method, form, type, Urgency.ANSWER);
  }

  /// Exactly so many bytes, never held in memory, and not to be sent twice.
  private static final class Streamed extends RequestBody {

    private final Source source;
    private boolean isAnother;
    private boolean isWhole;

    Streamed(Source source) {
      this.source = source;
    }

    @Override
    public @Nullable MediaType contentType() {
      return MediaType.get("application/octet-stream");
    }

    @Override
    public long contentLength() {
      return source.bytes;
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      var digest = Hash.digest();
      var chunk = new byte[CHUNK_BYTES];
      var left = source.bytes;
      while (left > 0) {
        var read = source.content.read(chunk, 0, (int) Math.min(chunk.length, left));
        if (read < 0) {
          throw another();
        }
        digest.update(chunk, 0, read);
        sink.write(chunk, 0, read);
        left -= read;
      }
      var hash = HexFormat.of().formatHex(digest.digest());
      if (source.content.read() >= 0 || source.sha256.filter(it -> !it.equals(hash)).isPresent()) {
        throw another();
      }
      isWhole = true;
    }

    private IOException another() {
      isAnother = true;
      return new IOException("The file is not the one it was");
    }
  }
}
