package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Loss;
import dev.gorkie.daytona.Answer.Lost;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.sandbox.SandboxFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.ResponseBody;
import okio.BufferedSink;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/// Files on their way to a machine and back, never held in memory.
final class Transfers {

  private static final Duration TRANSFER_MOST = Duration.ofMinutes(30);
  private static final long ERROR_BODY_BYTES_MAX = 64 * 1024;

  private final OkHttpClient streams;
  private final ToolboxLine line;

  Transfers(OkHttpClient streams, ToolboxLine line) {
    this.streams = streams;
    this.line = line;
  }

  /// Not atomic: whoever looks meanwhile may see a part. The content can be read only once, so it is sent only once.
  void upload(String path, InputStream content) {
    var form =
        new MultipartBody.Builder()
            .setType(MultipartBody.FORM)
            // The path must come before its file.
            .addFormDataPart("files[0].path", path)
            .addFormDataPart("files[0].file", "file", new Streamed(content))
            .build();
    var request = new Request.Builder().url(line.address() + "/files/bulk-upload").post(form);
    switch (send(request.build(), TRANSFER_MOST)) {
      case Given(var body) -> body.close();
      case Refused(var refusal) when refusal.isAboutTheMachine() ->
          throw new Failure(
              SandboxFailure.UNREACHABLE, "upload a file: " + refusal.status() + " on the way");
      case Refused(var refusal) -> throw refusal.failure("upload a file");
      case Lost(_, var reason) ->
          throw new Failure(SandboxFailure.UNREACHABLE, "upload a file: " + reason);
    }
  }

  InputStream download(String path) throws InterruptedException {
    var answer =
        line.repeatableAttempt(
            until -> send(get(path), until.left()), TRANSFER_MOST, Deadline.in(TRANSFER_MOST));
    // A directory is refused with 400.
    if (answer instanceof Refused<?>(var refusal)
        && (refusal.status() == 404 || refusal.status() == 400)) {
      throw new Failure(SandboxFailure.NO_FILE, "download a file: " + refusal.status());
    }
    return answer.orThrow("download a file").byteStream();
  }

  private Request get(String path) {
    var url =
        HttpUrl.get(line.address() + "/files/download")
            .newBuilder()
            .addQueryParameter("path", path)
            .build();
    return new Request.Builder().url(url).build();
  }

  private Answer<ResponseBody> send(Request request, Duration timeout) {
    var call = streams.newBuilder().callTimeout(timeout).build().newCall(request);
    try {
      var response = call.execute();
      if (response.isSuccessful()) {
        // A response to a call that was executed always has one.
        return new Given<>(Objects.requireNonNull(response.body()));
      }
      try (response) {
        var body = response.peekBody(ERROR_BODY_BYTES_MAX).string();
        return new Refused<>(Refusals.read(response.code(), response.headers().toMultimap(), body));
      }
    } catch (ConnectException | UnknownHostException _) {
      return new Lost<>(Loss.NOT_SENT, "no connection");
    } catch (IOException e) {
      return new Lost<>(Loss.NOT_ANSWERED, e.toString());
    }
  }

  /// A body whose length is not known before its end.
  private static final class Streamed extends RequestBody {

    private static final MediaType BYTES = MediaType.get("application/octet-stream");

    private final InputStream content;

    private Streamed(InputStream content) {
      this.content = content;
    }

    @Override
    public @Nullable MediaType contentType() {
      return BYTES;
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      try (var source = Okio.source(content)) {
        sink.writeAll(source);
      }
    }
  }
}
