package dev.gorkie.local.daytona;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.web.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ToolboxTest {

  private static final int MIB = 1024 * 1024;

  private World world;
  private Client client;
  private String sandbox;
  private Path work;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    world = World.in(directory);
    client = world.client();
    sandbox = client.createReady("a");
    work = world.daytona().sandbox(sandbox).orElseThrow().work();
  }

  @AfterAll
  void stop() {
    world.close();
  }

  @Test
  void a_command_is_its_shells_standard_input() throws Exception {
    var result = client.execute(sandbox, "echo first\ncat\necho 'never run'").json();

    assertEquals("first\necho 'never run'\n", result.path("result").asText());
    assertEquals(0, result.path("exitCode").asInt());
  }

  @Test
  void output_and_errors_are_one_text_without_foreign_bytes() throws Exception {
    var result = client.execute(sandbox, "printf 'a\\377b'; echo c >&2; exit 3").json();

    assertEquals("a\ufffdbc\n", result.path("result").asText());
    assertEquals(3, result.path("exitCode").asInt());
  }

  @Test
  void a_command_that_takes_too_long_is_killed_with_its_group() throws Exception {
    var wish = Json.object().put("command", "sleep 1003 & echo $! > slow; wait").put("timeout", 4);

    var reply = client.toolbox(sandbox, "POST", "/process/execute", wish.toString());

    assertEquals(408, reply.status());
    assertEquals("PROCESS_EXECUTION_TIMEOUT", reply.json().path("code").asText());
    Client.await(() -> !runs("slow"));
  }

  @Test
  void a_child_that_holds_the_output_keeps_the_caller() throws Exception {
    var reply =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.execute(sandbox, "sleep 1004 & echo $! > holder; echo $$ > shell");
              } catch (Exception failure) {
                throw new IllegalStateException(failure);
              }
            });
    Client.await(() -> isWritten("shell") && !runs("shell"));

    assertFalse(reply.isDone());

    process("holder").orElseThrow().destroyForcibly();
    assertEquals(0, reply.get(30, TimeUnit.SECONDS).json().path("exitCode").asInt());
  }

  @Test
  void a_command_with_no_place_to_run_could_not_start() throws Exception {
    var wish = Json.object().put("command", "true").put("cwd", "nowhere");

    var reply = client.toolbox(sandbox, "POST", "/process/execute", wish.toString());

    assertEquals(-1, reply.json().path("exitCode").asInt());
  }

  @Test
  void a_file_goes_in_moves_and_comes_out_again() throws Exception {
    var content = new byte[3 * MIB];
    new Random(3).nextBytes(content);

    var uploaded = upload(part("files[0].path", "in/.file.new"), part("files[0].file", content));
    var moved =
        client.toolbox(sandbox, "POST", "/files/move?source=in/.file.new&destination=in/file.bin");
    var downloaded =
        client.send(
            HttpRequest.newBuilder(
                client.toolboxUri(sandbox, "/files/download?path=" + work.resolve("in/file.bin"))),
            BodyHandlers.ofByteArray());
    var info = client.toolbox(sandbox, "GET", "/files/info?path=in/file.bin").json();

    assertEquals(200, uploaded.status());
    assertEquals(content.length, uploaded.json().path("files").get(0).path("bytes").asInt());
    assertEquals(200, moved.status());
    assertArrayEquals(content, downloaded.body());
    assertEquals("file.bin", info.path("name").asText());
    assertEquals(content.length, info.path("size").asInt());
    assertFalse(info.path("isDir").asBoolean());
    assertEquals(404, client.toolbox(sandbox, "GET", "/files/info?path=in/.file.new").status());
  }

  @Test
  void a_files_path_has_to_come_before_its_content() throws Exception {
    var reply =
        upload(
            part("files[0].file", "early"),
            part("files[0].path", "wrong"),
            part("files[1].path", "right"),
            part("files[1].file", "late"));

    assertEquals(400, reply.status());
    assertEquals(1, reply.json().path("errors").size());
    assertEquals(1, reply.json().path("files").size());
    assertFalse(Files.exists(work.resolve("wrong")));
    assertEquals("late", Files.readString(work.resolve("right")));
  }

  @Test
  void a_content_may_look_like_its_own_end() throws Exception {
    var content = "\r\n--edg\r\n-\r\r\n--edg\n--edge\n\r";

    upload(part("files[0].path", "odd"), part("files[0].file", content));
    upload(part("files[0].path", "empty"), part("files[0].file", ""));

    assertEquals(content, Files.readString(work.resolve("odd")));
    assertEquals(0, Files.size(work.resolve("empty")));
  }

  @Test
  void an_upload_reaches_the_disk_while_it_is_still_being_sent() throws Exception {
    var target = work.resolve("large");
    var first = new byte[MIB];
    var rest = new byte[63 * MIB];
    // What is sent last is only to be had once something of what was sent first lies on the disk.
    var gate =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              Client.await(() -> Files.exists(target) && Files.size(target) > 0);
            } catch (Exception failure) {
              throw new IOException(failure);
            }
            return -1;
          }
        };
    var body =
        new SequenceInputStream(
            Collections.enumeration(
                Arrays.asList(
                    stream(part("files[0].path", "large")),
                    stream(head("files[0].file")),
                    stream(first),
                    gate,
                    stream(rest),
                    stream(tail()))));

    var reply =
        client.send(
            HttpRequest.newBuilder(client.toolboxUri(sandbox, "/files/bulk-upload"))
                .header("Content-Type", "multipart/form-data; boundary=edge")
                .POST(BodyPublishers.ofInputStream(() -> body)),
            BodyHandlers.ofString());

    assertEquals(200, reply.statusCode(), reply.body());
    assertEquals(64L * MIB, Files.size(target));
  }

  @Test
  void a_raw_body_is_a_file_too() throws Exception {
    var reply = client.toolbox(sandbox, "POST", "/files/upload-v2?path=raw/body", "content");

    assertEquals(200, reply.status());
    assertEquals("content", Files.readString(work.resolve("raw/body")));
  }

  @Test
  void directories_are_made_listed_searched_and_removed() throws Exception {
    assertEquals(201, client.toolbox(sandbox, "POST", "/files/folder?path=d/e&mode=0700").status());
    assertEquals(201, client.toolbox(sandbox, "POST", "/files/folder?path=d/e").status());
    Files.writeString(work.resolve("d/e/one.txt"), "1");

    var listed = client.toolbox(sandbox, "GET", "/files?path=d").json();
    var found = client.toolbox(sandbox, "GET", "/files/search?path=d&pattern=*.txt").json();
    client.toolbox(sandbox, "POST", "/files/permissions?path=d/e/one.txt&mode=0600");
    var info = client.toolbox(sandbox, "GET", "/files/info?path=d/e/one.txt").json();

    assertEquals("e", listed.get(0).path("name").asText());
    assertEquals("0700", listed.get(0).path("permissions").asText());
    assertTrue(listed.get(0).path("isDir").asBoolean());
    assertEquals(work.resolve("d/e/one.txt").toString(), found.path("files").get(0).asText());
    assertEquals("-rw-------", info.path("mode").asText());
    assertEquals(400, client.toolbox(sandbox, "GET", "/files/download?path=d").status());
    assertEquals(400, client.toolbox(sandbox, "DELETE", "/files?path=d").status());
    assertEquals(204, client.toolbox(sandbox, "DELETE", "/files?path=d&recursive=true").status());
    var missing = client.toolbox(sandbox, "GET", "/files?path=d");
    assertEquals(404, missing.status());
    assertEquals("FILE_NOT_FOUND", missing.json().path("code").asText());
  }

  @Test
  void a_sandbox_that_does_not_run_answers_misleadingly() throws Exception {
    var other = client.createReady("other");

    world.daytona().setState(other, State.STARTING);
    var starting = client.toolbox(other, "GET", "/version");
    world.daytona().setState(other, State.STOPPED);
    var stopped = client.toolbox(other, "GET", "/version");

    assertEquals(502, starting.status());
    assertEquals("", starting.text());
    assertEquals(400, stopped.status());
    assertTrue(stopped.message().endsWith("Is the Sandbox started?"), stopped.text());
    assertEquals(404, client.toolbox("other", "GET", "/version").status());
  }

  private Client.Reply upload(byte[]... parts) throws Exception {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    all.writeBytes("--edge--".getBytes(StandardCharsets.UTF_8));
    var reply =
        client.send(
            HttpRequest.newBuilder(client.toolboxUri(sandbox, "/files/bulk-upload"))
                .header("Content-Type", "multipart/form-data; boundary=edge")
                .POST(BodyPublishers.ofByteArray(all.toByteArray())),
            BodyHandlers.ofString());
    return new Client.Reply(reply.statusCode(), reply.body());
  }

  private static byte[] part(String name, String content) {
    return part(name, content.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] part(String name, byte[] content) {
    var part = new ByteArrayOutputStream();
    part.writeBytes(head(name));
    part.writeBytes(content);
    part.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
    return part.toByteArray();
  }

  private static byte[] head(String name) {
    return ("--edge\r\nContent-Disposition: form-data; name=\""
            + name
            + "\"; filename=\"f\"\r\n\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] tail() {
    return "\r\n--edge--\r\n".getBytes(StandardCharsets.UTF_8);
  }

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private boolean isWritten(String file) throws IOException {
    var path = work.resolve(file);
    return Files.exists(path) && Files.readString(path).endsWith("\n");
  }

  private boolean runs(String file) throws IOException {
    return process(file).filter(SandboxProcesses::runs).isPresent();
  }

  private Optional<ProcessHandle> process(String file) throws IOException {
    return ProcessHandle.of(Long.parseLong(Files.readString(work.resolve(file)).strip()));
  }
}
