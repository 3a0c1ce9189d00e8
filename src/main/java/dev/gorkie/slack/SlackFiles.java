package dev.gorkie.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.gorkie.Deadline;
import dev.gorkie.slack.Attachment.Access;
import dev.gorkie.slack.AttachmentRefused.Reason;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import okhttp3.Request;
import okhttp3.Response;
import org.jboss.logging.Logger;

/// Opens what people attached. The token is shown to Slack alone, and a file is streamed, never held.
@ApplicationScoped
public class SlackFiles {

  private static final Logger LOG = Logger.getLogger(SlackFiles.class);
  private static final ObjectReader JSON = new ObjectMapper().reader();
  private static final int REDIRECTS_MAX = 3;
  // Slack's usual word is a few seconds. Whoever asked waits for all of it.
  private static final Duration ASKED_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOST_PAUSE = Duration.ofSeconds(1);

  private final SlackApi api;

  SlackFiles(SlackApi api) {
    this.api = api;
  }

  /// A message's files, with what Slack knows of them: of those of another company events tell no more than the id.
  ///
  /// @param calledOff whether nobody wants to know any more
  /// @throws IOException when Slack does not say whether there are any
  public List<Attachment> of(MessageEvent event, BooleanSupplier calledOff) throws IOException {
    var until = Deadline.in(ASKED_WITHIN).unless(calledOff);
    return told(event, until).stream().map(file -> known(event.team(), file)).toList();
  }

  private Attachment known(String team, Attachment file) {
    try {
      return isToBeAskedFor(file) ? asked(team, file) : file;
    } catch (IOException e) {
      // Whoever opens it asks again, and says why it cannot be had.
      LOG.infof("Attachment %s is known by its id alone: %s", file.id(), e.getMessage());
      return file;
    }
  }

  private static boolean isToBeAskedFor(Attachment file) {
    return file.access() == Access.ASK_FIRST
        || file.access() == Access.OPEN && file.download().isEmpty();
  }

  /// An `app_mention` may come without the files that it has; then the thread is asked for the message itself.
  private List<Attachment> told(MessageEvent event, Deadline until) throws IOException {
    if (event.kind() != MessageEvent.Kind.APP_MENTION || !event.files().isEmpty()) {
      return event.files();
    }
    var itself =
        Map.of(
            "channel", event.channel(),
            "ts", event.rootTs(),
            "oldest", event.ts(),
            "latest", event.ts(),
            "inclusive", "true",
            // A thread's root comes with every first page, whatever was asked for.
            "limit", "2");
    while (true) {
      switch (api.call(event.team(), "conversations.replies", itself, Wire.Originals.class)) {
        case Ok<Wire.Originals>(var originals) -> {
          return files(originals, event.ts());
        }
        case Refused<Wire.Originals>(var error) -> {
          // It will not tell next time either.
          LOG.warnf("The message of event %s cannot be completed: %s", event.eventId(), error);
          return List.of();
        }
        case Later<Wire.Originals>(var pause) -> awaitSlack(pause, until);
        case Lost<Wire.Originals> _ -> awaitSlack(LOST_PAUSE, until);
      }
    }
  }

  /// Where there is not enough time it is not even begun to be waited for.
  private static void awaitSlack(Duration pause, Deadline until) throws IOException {
    try {
      if (pause.compareTo(until.left()) >= 0 || !new Patience(until).waits(pause)) {
        throw new IOException("Slack wants " + pause + " more");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("nobody waits for Slack any more");
    }
  }

  private static List<Attachment> files(Wire.Originals originals, String ts) {
    var files = new ArrayList<Attachment>();
    if (originals.messages != null) {
      for (var message : originals.messages) {
        var read = json(message);
        if (read.path("ts").asText().equals(ts)) {
          read.path("files").forEach(file -> files.add(Attachments.read(file)));
        }
      }
    }
    return files;
  }

  private static JsonNode json(JsonElement element) {
    try {
      return JSON.readTree(element.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("What one parser wrote the other reads", e);
    }
  }

  /// The file's bytes; the caller closes the stream. It throws `AttachmentRefused` too when the file turns out while
  /// it is read to be larger than allowed, or of another length than Slack says.
  ///
  /// @throws AttachmentRefused when there is no use in trying again
  /// @throws IOException when Slack could not be reached
  public InputStream open(String team, Attachment attachment, long bytesMax) throws IOException {
    var file = isToBeAskedFor(attachment) ? asked(team, attachment) : attachment;
    check(file, bytesMax);
    var address =
        file.download()
            .orElseThrow(() -> new AttachmentRefused(Reason.DENIED, "there is no address"));
    return content(file, fetch(team, address), bytesMax);
  }

  private Attachment asked(String team, Attachment attachment) throws IOException {
    return switch (api.call(
        team, "files.info", Map.of("file", attachment.id()), Wire.FileInfo.class)) {
      case Ok<Wire.FileInfo>(var info) -> read(info);
      case Refused<Wire.FileInfo>(var error) ->
          throw new AttachmentRefused(
              error.equals("file_not_found") || error.equals("file_deleted")
                  ? Reason.GONE
                  : Reason.DENIED,
              error);
      case Later<Wire.FileInfo>(var pause) -> throw new IOException("files.info wants " + pause);
      case Lost<Wire.FileInfo>(var why) -> throw new IOException(why);
    };
  }

  private static Attachment read(Wire.FileInfo info) {
    return Attachments.read(json(info.file == null ? new JsonObject() : info.file));
  }

  private static void check(Attachment file, long bytesMax) throws AttachmentRefused {
    switch (file.access()) {
      case GONE -> throw new AttachmentRefused(Reason.GONE, file.id());
      case EXTERNAL -> throw new AttachmentRefused(Reason.EXTERNAL, file.id());
      case DENIED, ASK_FIRST -> throw new AttachmentRefused(Reason.DENIED, file.id());
      case OPEN -> {}
    }
    if (file.bytes().orElse(0) > bytesMax) {
      throw new AttachmentRefused(Reason.TOO_LARGE, file.bytes().orElse(0) + " bytes");
    }
  }

  /// Follows redirects by hand: only to Slack, and without the token once the host is another one.
  private Response fetch(String team, URI from) throws IOException {
    var address = from;
    for (var redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      if (!api.isSlacks(address)) {
        throw new AttachmentRefused(Reason.DENIED, "it would come from " + address.getHost());
      }
      var isSame = SlackApi.origin(address).equals(SlackApi.origin(from));
      var response = get(address, isSame ? Optional.of(api.token(team)) : Optional.empty());
      if (!response.isRedirect()) {
        return response;
      }
      try (response) {
        address = address.resolve(new URI(SlackHttp.header(response, "Location")));
      } catch (URISyntaxException | IllegalArgumentException _) {
        throw new AttachmentRefused(Reason.DENIED, "it was moved to no address");
      }
    }
    throw new AttachmentRefused(Reason.DENIED, "it was moved too often");
  }

  private Response get(URI address, Optional<String> token) throws IOException {
    var request =
        new Request.Builder()
            .url(address.toString())
            // Compressed, its length would say nothing.
            .header("Accept-Encoding", "identity");
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
    return api.transfers().newCall(request.build()).execute();
  }

  private static InputStream content(Attachment file, Response response, long bytesMax)
      throws IOException {
    try {
      var body = response.body();
      switch (response.code()) {
        case 200 -> {}
        case 404, 410 -> throw new AttachmentRefused(Reason.GONE, "HTTP " + response.code());
        case 401, 403 -> throw new AttachmentRefused(Reason.DENIED, "HTTP " + response.code());
        default -> throw new IOException("A file was answered with " + response.code());
      }
      if (body == null) {
        throw new AttachmentRefused(Reason.NOT_WHOLE, "there is nothing in it");
      }
      // Who is not allowed to see the file gets a page to log in.
      if (isHtml(SlackHttp.header(response, "Content-Type")) && !isHtml(file.mimetype())) {
        throw new AttachmentRefused(Reason.DENIED, "a login page came instead");
      }
      var announced = body.contentLength();
      if (announced > bytesMax) {
        throw new AttachmentRefused(Reason.TOO_LARGE, announced + " bytes");
      }
      return new Measured(body.byteStream(), file.bytes(), bytesMax);
    } catch (IOException e) {
      response.close();
      throw e;
    }
  }

  private static boolean isHtml(String type) {
    return type.toLowerCase(Locale.ROOT).startsWith("text/html");
  }
}
