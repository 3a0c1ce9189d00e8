package dev.gorkie.local.aws;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a function runs.
public sealed interface Code {

  /// A program that asks the runtime API for its invocations; its output is appended to the log.
  record Program(List<String> command, Map<String, String> environment, Path log) implements Code {

    public Program {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
    }
  }

  /// A piece of the test itself, where the function is not what the test is about.
  record Here(Handler handler) implements Code {}

  /// Answers a payload, or throws as a function would.
  interface Handler {
    String handle(String requestId, String payload) throws Exception;
  }
}
