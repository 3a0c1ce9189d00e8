package dev.gorkie.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The copy of what was said, with the real keeper and without Pi: its session file is written by the test.
@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class MirrorTest extends SessionsAtHand {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EXECUTE = "/process/execute$";
  private static final String UPLOAD = "/files/bulk-upload$";
  private static final String SHA256 = "0".repeat(64);

  @Inject TranscriptRows transcripts;

  private String said = "";

  @Test
  void a_turn_adds_what_is_new_and_nothing_twice() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    rest(workspace);
    rest(workspace);
    assertEquals(1, pieces());

    piWrites(workspace.sandbox(), message("b"));
    rest(workspace);

    assertEquals(2, pieces());
    assertEquals(said.length(), copied().end());
  }

  @Test
  void where_pi_has_said_nothing_nothing_is_copied() throws Exception {
    rest(open());

    assertEquals(0, pieces());
  }

  @Test
  void whose_thread_was_taken_over_copies_nothing() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    isTakenOver(thread, 9);

    sessions.copy(workspace);

    assertEquals(0, pieces());
  }

  @Test
  void a_new_sandbox_gets_the_conversation_as_its_next_session() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    rest(workspace);
    piWrites(workspace.sandbox(), message("b") + message("ünï🦊\u2028"));
    rest(workspace);

    var next = replaced(workspace);

    var head = restoredHead(next);
    assertEquals(session(2), head.path("id").asText());
    assertEquals(next.sandbox().workDirectory(), head.path("cwd").asText());
    assertEquals(3, head.path("version").asInt());
    assertEquals(withoutHead(said), withoutHead(restored(next)));
    assertTrue(next.news().orElseThrow().remembered());
  }

  @Test
  void a_long_conversation_comes_back_whole() throws Exception {
    var random = RandomGeneratorFactory.of("L64X128MixRandom").create(42);
    var noise = new byte[30_000];
    var long_ =
        IntStream.range(0, 60)
            .mapToObj(
                _ -> {
                  random.nextBytes(noise);
                  return message(Base64.getEncoder().encodeToString(noise));
                })
            .collect(Collectors.joining());
    var workspace = open();
    piWrites(workspace.sandbox(), header() + long_);
    rest(workspace);

    var next = replaced(workspace);

    assertTrue(pieces() > 3, pieces() + " pieces");
    assertEquals(long_, withoutHead(restored(next)));
  }

  @Test
  void a_session_that_pi_wrote_anew_is_copied_anew_and_only_that_comes_back() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("old"));
    rest(workspace);
    said = "";
    piWrites(workspace.sandbox(), header() + message("new") + message("newer"));
    rest(workspace);

    var next = replaced(workspace);

    assertEquals(2, pieces());
    assertEquals(message("new") + message("newer"), withoutHead(restored(next)));
  }

  @Test
  void a_file_that_lost_its_head_continues_what_was_copied_before() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    rest(workspace);
    said = "";
    piWrites(workspace.sandbox(), message("b"));
    rest(workspace);

    var next = replaced(workspace);

    assertEquals(message("a") + message("b"), withoutHead(restored(next)));
  }

  @Test
  void a_turn_whose_copy_failed_is_caught_up_by_the_next() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    keeperSays("{\"exitCode\":2,\"result\":\"keeper attach | read\"}");
    rest(workspace);
    assertEquals(0, pieces());

    piWrites(workspace.sandbox(), message("b"));
    rest(workspace);

    assertEquals(said.length(), copied().end());
  }

  @Test
  void a_conversation_that_could_not_be_put_back_at_once_is_put_back_by_the_next_turn()
      throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    rest(workspace);
    daytona.delete(workspace.sandbox().id().value());
    daytona.answer("POST", UPLOAD, 1, 502, "");

    assertEquals(SandboxFailure.UNREACHABLE, codeOf(this::open));
    assertEquals(1, row().seedFrom);
    var next = open();

    assertEquals(message("a"), withoutHead(restored(next)));
    assertEquals(2, row().sessionNumber);
    assertEquals(null, row().seedFrom);
    assertTrue(next.news().orElseThrow().remembered());
  }

  @Test
  void a_conversation_that_can_never_be_put_back_is_told_to_be_lost() throws Exception {
    var workspace = open();
    piWrites(workspace.sandbox(), header() + message("a"));
    rest(workspace);
    daytona.delete(workspace.sandbox().id().value());
    daytona.answer("POST", UPLOAD, 1, 400, "{\"message\":\"no\"}");

    var next = open();

    assertEquals(Optional.of(false), next.news().map(News::remembered));
    assertEquals(null, row().seedFrom);
  }

  @Test
  void what_the_keeper_says_is_kept_when_it_can_be_so() throws Exception {
    var workspace = open();
    keeperSays(
        JSON.createObjectNode()
            .put("exitCode", 0)
            .put(
                "result",
                "{\"first\":0,\"bytes\":3,\"hash\":\"%s\",\"head\":true,\"gzip\":\"%s\"}"
                    .formatted(SHA256, gzip("{}\n".getBytes(UTF_8))))
            .toString());

    rest(workspace);

    assertEquals(3, copied().end());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no json",
        "{\"first\":0,\"bytes\":9,\"hash\":\"$(reboot)\",\"head\":true,\"gzip\":\"%s\"}",
        "{\"first\":7,\"bytes\":9,\"hash\":\"%h\",\"head\":true,\"gzip\":\"%s\"}",
        "{\"first\":0,\"bytes\":9,\"hash\":\"%h\",\"head\":true,\"gzip\":\"no gzip\"}",
        "{\"first\":0,\"bytes\":9,\"hash\":\"%h\",\"head\":true,\"gzip\":\"%b\"}",
        "{\"first\":0,\"bytes\":-9,\"hash\":\"%h\",\"head\":true,\"gzip\":\"%s\"}",
      })
  void what_a_forged_keeper_says_is_not_kept(String forged) throws Exception {
    var workspace = open();
    var answer =
        forged
            .replace("%h", SHA256)
            .replace("%s", gzip("{}\n".getBytes(UTF_8)))
            .replace("%b", gzip(new byte[70 * 1024 * 1024]));
    var body = JSON.createObjectNode().put("exitCode", 0).put("result", answer);
    keeperSays(body.toString());

    rest(workspace);

    assertEquals(0, pieces());
  }

  private void keeperSays(String executed) {
    daytona.answer("POST", EXECUTE, 1, 200, executed);
  }

  private Workspace replaced(Workspace workspace) throws InterruptedException {
    daytona.delete(workspace.sandbox().id().value());
    return open();
  }

  /// As Pi does it: the file goes on.
  private void piWrites(Sandbox sandbox, String lines) {
    said += lines;
    sandbox.upload(
        "%s/.gorkie/sessions/2026-09-03T10-00-00-000Z_%s.jsonl"
            .formatted(sandbox.homeDirectory(), session(1)),
        new ByteArrayInputStream(said.getBytes(UTF_8)));
  }

  private String header() {
    return "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"cwd\":\"/elsewhere\"}\n"
        .formatted(session(1));
  }

  private static String message(String text) {
    return "{\"type\":\"message\",\"id\":\"%s\",\"message\":{\"role\":\"user\",\"content\":\"%s\"}}\n"
        .formatted(Integer.toHexString(text.hashCode()), text);
  }

  private String session(int number) {
    return new Names(thread, 1, number).session();
  }

  private String restored(Workspace workspace) throws IOException {
    var sandbox = workspace.sandbox();
    var path = sandbox.homeDirectory() + "/.gorkie/sessions/restored_" + row().sessionId + ".jsonl";
    try (var content = sandbox.download(path)) {
      return new String(content.readAllBytes(), UTF_8);
    }
  }

  private JsonNode restoredHead(Workspace workspace) throws IOException {
    return JSON.readTree(restored(workspace).lines().findFirst().orElseThrow());
  }

  private static String withoutHead(String transcript) {
    return transcript.substring(transcript.indexOf('\n') + 1);
  }

  private int pieces() {
    return database.transaction(() -> transcripts.last(thread, 1)).seq();
  }

  private TranscriptRows.Copied copied() {
    return database.transaction(() -> transcripts.last(thread, 1));
  }

  private static String gzip(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
