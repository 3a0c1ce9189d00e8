package dev.gorkie.pi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Writes records as hostile code in a machine would: what Pi and its keeper really said, with something wrong in it.
final class Forger {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path TRANSCRIPTS = Path.of("src/test/resources/transcripts");
  private static final Path FOUND = Path.of("src/test/resources/fuzz/records.jsonl");

  // What breaks things elsewhere, as JSON.
  private static final List<String> POISON =
      List.of(
          "null",
          "true",
          "{}",
          "[]",
          "\"\"",
          "-1",
          "0",
          "1e999",
          "-1e999",
          "1e-999",
          "1e18",
          "-9223372036854775808",
          "9223372036854775807",
          "99999999999999999999999999",
          "0.1e400",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\u001b]0;x\\u0007\"",
          "\"\\u202e\"",
          "\"<!channel>\"",
          "\"../../etc/passwd\"",
          "\"turn-1\"",
          "\"keeper_stop\"",
          "\"gorkie:tool\"",
          "\"gorkie:permission\"",
          "[[[[[[[[[[]]]]]]]]]]",
          "{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}");

  private static final List<String> OF_THE_KEEPER =
      List.of(
          "{\"type\":\"keeper_boot\",\"boot\":\"b1\"}",
          "{\"type\":\"keeper_ready\",\"boot\":\"b1\",\"messages\":4,\"model\":\"m\"}",
          "{\"type\":\"keeper_command\",\"id\":\"turn-1\",\"fence\":7,\"command\":\"prompt\"}",
          "{\"type\":\"keeper_command\",\"id\":\"stop-1\",\"fence\":7,\"command\":\"keeper_stop\"}",
          "{\"type\":\"keeper_refused\",\"id\":\"turn-1\",\"fence\":7,\"reason\":\"fence\"}",
          "{\"type\":\"keeper_refused\",\"id\":\"turn-1\",\"fence\":7,\"reason\":\"lost\",\"session\":\"s\"}",
          "{\"type\":\"keeper_forced\",\"fence\":7}",
          "{\"type\":\"keeper_limit\",\"seconds\":1200}",
          "{\"type\":\"keeper_trouble\",\"reason\":\"disk_full\"}",
          "{\"type\":\"keeper_exit\",\"running\":true,\"code\":1}",
          "{\"type\":\"keeper_exit\",\"running\":true,\"signal\":\"SIGKILL\"}",
          "{\"type\":\"message_end\",\"message\":{\"role\":\"user\",\"command\":\"turn-1\"}}",
          "{\"type\":\"tool_execution_start\",\"toolCallId\":\"h1\",\"toolName\":\"readThread\",\"args\":{}}",
          "{\"type\":\"tool_execution_start\",\"toolCallId\":\"h2\",\"toolName\":\"bash\",\"args\":{\"command\":\"ls\"}}",
          "{\"type\":\"extension_ui_request\",\"id\":\"d1\",\"method\":\"input\",\"title\":\"gorkie:tool\","
              + "\"placeholder\":\"{\\\"name\\\":\\\"readThread\\\",\\\"args\\\":{\\\"limit\\\":5}}\"}",
          "{\"type\":\"tool_execution_start\",\"toolCallId\":\"h3\",\"toolName\":\"bash\",\"args\":{\"command\":\"make\",\"background\":true}}",
          "{\"type\":\"extension_ui_request\",\"id\":\"d3\",\"method\":\"input\",\"title\":\"gorkie:tool\","
              + "\"placeholder\":\"{\\\"name\\\":\\\"startJob\\\",\\\"args\\\":{\\\"command\\\":\\\"make\\\",\\\"seconds\\\":\\\"60\\\"}}\"}",
          "{\"type\":\"tool_execution_start\",\"toolCallId\":\"h4\",\"toolName\":\"async_status\",\"args\":{\"id\":\"job-1\"}}",
          "{\"type\":\"extension_ui_request\",\"id\":\"d4\",\"method\":\"input\",\"title\":\"gorkie:tool\","
              + "\"placeholder\":\"{\\\"name\\\":\\\"jobStatus\\\",\\\"args\\\":{\\\"id\\\":\\\"job-1\\\"}}\"}",
          "{\"type\":\"extension_ui_request\",\"id\":\"d2\",\"method\":\"confirm\",\"title\":\"gorkie:permission\","
              + "\"message\":\"{\\\"call\\\":\\\"h2\\\",\\\"tool\\\":\\\"bash\\\",\\\"text\\\":\\\"ls\\\",\\\"more\\\":0}\"}");

  private final Random random;
  private final List<String> seeds = new ArrayList<>();
  private final List<String> found;

  Forger(long seed) {
    this.random = new Random(seed);
    try (var transcripts = Files.list(TRANSCRIPTS)) {
      for (var transcript : transcripts.sorted().toList()) {
        for (var line : Files.readAllLines(transcript)) {
          var message = JSON.readTree(line).path("msg");
          if (message.isObject()) {
            seeds.add(message.toString());
          }
        }
      }
      found = Files.readAllLines(FOUND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // As often as what Pi says, since most of what is done follows from them.
    var times = Math.max(1, seeds.size() / OF_THE_KEEPER.size() / 2);
    for (var time = 0; time < times; time++) {
      seeds.addAll(OF_THE_KEEPER);
    }
    seeds.addAll(found);
  }

  /// What was found to do harm once, unchanged.
  List<byte[]> found() {
    return found.stream().map(Forger::bytes).toList();
  }

  byte[] record() {
    var line = seeds.get(random.nextInt(seeds.size()));
    return switch (random.nextInt(10)) {
      case 0, 1 -> bytes(line);
      case 2 -> damaged(bytes(line));
      case 3 -> bytes(deep());
      case 4 -> bytes(line.substring(0, random.nextInt(line.length() + 1)));
      default -> bytes(forged(line));
    };
  }

  private static byte[] bytes(String line) {
    return line.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] damaged(byte[] bytes) {
    for (var times = 1 + random.nextInt(4); times > 0 && bytes.length > 0; times--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private String deep() {
    var depth = 1 + random.nextInt(3_000);
    return random.nextBoolean()
        ? "{\"type\":\"message_end\",\"message\":" + "[".repeat(depth) + "]".repeat(depth) + "}"
        : "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
  }

  private String forged(String line) {
    try {
      var record = JSON.readTree(line);
      for (var times = 1 + random.nextInt(3); times > 0; times--) {
        change(record);
      }
      // Numbers that no tree can hold are put in as text.
      var text = record.toString();
      return random.nextInt(3) == 0
          ? text.replaceFirst(":-?[0-9][0-9.eE+-]*", ":" + any(List.of("1e999", "-1e999", "1e18")))
          : text;
    } catch (JsonProcessingException _) {
      return line;
    }
  }

  /// Some value, somewhere in it, becomes another.
  private void change(JsonNode in) {
    switch (in) {
      case ObjectNode object when !object.isEmpty() -> {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        var name = any(names);
        if (object.get(name).isContainerNode() && random.nextInt(4) != 0) {
          change(object.get(name));
        } else if (random.nextInt(8) == 0) {
          object.remove(name);
        } else {
          object.set(name, poison());
        }
      }
      case ArrayNode array when !array.isEmpty() -> {
        var at = random.nextInt(array.size());
        if (array.get(at).isContainerNode() && random.nextInt(4) != 0) {
          change(array.get(at));
        } else {
          array.set(at, poison());
        }
      }
      default -> {}
    }
  }

  private JsonNode poison() {
    if (random.nextInt(20) == 0) {
      return JsonNodeFactory.instance.textNode("x".repeat(1 << random.nextInt(19)));
    }
    try {
      return JSON.readTree(any(POISON));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
