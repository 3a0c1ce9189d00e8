package dev.gorkie.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.tokens.Scope;
import dev.gorkie.workbench.Kind;
import java.util.Locale;

/// What a program may have done in a sandbox: what is asked, by whom, and how the sandbox is told.
enum Call {
  EXECUTE(
      "Runs code",
      Kind.EXECUTE,
      Scope.EXECUTE,
      Shape.of(
          Field.choice("language", Names.LANGUAGES, "What the code is written in."),
          Fields.CODE,
          Fields.TIMEOUT,
          Fields.MAX_OUTPUT,
          Fields.MEMORY,
          Fields.SESSION.optional(),
          Fields.POLICY)),
  BASH(
      "Runs a command",
      Kind.EXECUTE,
      Scope.EXECUTE,
      Shape.of(
          Field.text("command", Fields.CODE_MAX, "A command, or a script, for Bash.").from(1),
          Fields.TIMEOUT,
          Fields.MAX_OUTPUT,
          Fields.MEMORY,
          Fields.SESSION.optional(),
          Fields.POLICY)),
  READ(
      "Reads a text file by lines",
      Kind.READ,
      Scope.READ,
      Shape.of(
          Fields.SESSION,
          Fields.POLICY,
          Fields.PATH,
          Field.number("offset", 1, Fields.LINES_OF_A_FILE_MAX, "The first line, counted from 1.")
              .otherwise(1),
          Field.number("limit", 1, 2_000, "How many lines.").otherwise(2_000))),
  READ_BINARY(
      "Reads a file of any kind",
      Kind.READ_BINARY,
      Scope.READ,
      Shape.of(Fields.SESSION, Fields.POLICY, Fields.PATH)),
  WRITE(
      "Writes a file",
      Kind.WRITE,
      Scope.WRITE,
      Shape.of(Fields.SESSION, Fields.POLICY, Fields.PATH, Fields.CONTENT, Fields.BASE64)
          .withOneOf("content", "base64")),
  COPY(
      "Writes many files",
      Kind.COPY,
      Scope.WRITE,
      Shape.of(
          Fields.SESSION,
          Fields.POLICY,
          Field.list(
              "files",
              Shape.of(
                      Fields.PATH,
                      Fields.CONTENT,
                      Fields.BASE64,
                      Field.form(
                              "artifact",
                              "art-[a-z2-7]{20}",
                              "The id of an artifact, of whichever session of the tenant.")
                          .optional())
                  .withOneOf("content", "base64", "artifact"),
              100,
              "One that can't be written keeps no other from being."))),
  GREP(
      "Looks for a pattern in files",
      Kind.GREP,
      Scope.READ,
      Shape.of(
          Fields.SESSION,
          Fields.POLICY,
          Field.text("pattern", 1_000, "A regular expression, as ripgrep reads it.").from(1),
          Fields.PATH.otherwise("."),
          Field.text("glob", 200, "Which files, by their names.").from(1).optional(),
          Field.flag("ignore_case", "Whether large and small letters are the same.")
              .otherwise(false),
          Fields.FOUND)),
  GLOB(
      "Finds files by their names, newest first",
      Kind.GLOB,
      Scope.READ,
      Shape.of(
          Fields.SESSION,
          Fields.POLICY,
          Field.text("pattern", 1_000, "Such as **/*.csv, from the path on.").from(1),
          Fields.PATH.otherwise("."),
          Fields.FOUND));

  private final String says;
  private final Kind kind;
  private final Scope scope;
  private final Shape shape;

  Call(String says, Kind kind, Scope scope, Shape shape) {
    this.says = says;
    this.kind = kind;
    this.scope = scope;
    this.shape = shape;
  }

  String path() {
    return name().toLowerCase(Locale.ROOT);
  }

  String says() {
    return says;
  }

  Kind kind() {
    return kind;
  }

  Scope scope() {
    return scope;
  }

  Shape shape() {
    return shape;
  }

  /// As the sandbox reads it.
  ObjectNode wish(ObjectNode body) {
    var wish = body.deepCopy();
    wish.remove("session");
    wish.remove("policy");
    if (this == BASH) {
      wish.put("language", "bash");
      wish.set("code", wish.remove("command"));
    }
    return wish.put("kind", kind.wire());
  }

  /// What more than one call takes.
  private static final class Fields {

    // With what stands around it, it goes through a door of 512 KiB; each may take six in JSON.
    private static final long CODE_MAX = 262_144;
    private static final long CONTENT_MAX = 480_000;
    private static final long LINES_OF_A_FILE_MAX = 1_000_000_000;

    private static final Field SESSION =
        Field.form(
                "session",
                Names.SESSION,
                "Whose sandbox: a name of your own choice. What comes under the same name finds the same files.")
            .upTo(128);
    private static final Field POLICY =
        Field.form(
                "policy",
                Names.POLICY,
                "By name, what the session is held to; chosen when it begins. Without one it is the one called default, if there is one.")
            .upTo(32)
            .optional();
    private static final Field CONTENT =
        Field.text("content", CONTENT_MAX, "What is to stand in it, as text.").optional();
    private static final Field BASE64 =
        Field.form("base64", "[A-Za-z0-9+/]*={0,2}", "The same as Base64, for bytes.")
            .upTo(CONTENT_MAX)
            .optional();
    private static final Field PATH =
        Field.text(
                "path",
                1_024,
                "In the work directory, and relative to it; what leads out of it is refused.")
            .from(1);
    private static final Field CODE = Field.text("code", CODE_MAX, "What to run.").from(1);
    private static final Field TIMEOUT =
        Field.number("timeout", 1, 600, "After so many seconds it is ended, with all it began.")
            .otherwise(120);
    private static final Field MAX_OUTPUT =
        Field.number(
                "max_output",
                1_024,
                262_144,
                "So many bytes of each output are told: half of them from its beginning, half from its end.")
            .otherwise(65_536);
    private static final Field MEMORY =
        Field.number("memory_mb", 64, 65_536, "So many MiB it may take.").optional();
    private static final Field FOUND =
        Field.number("limit", 1, 1_000, "How many at most.").otherwise(1_000);
  }
}
