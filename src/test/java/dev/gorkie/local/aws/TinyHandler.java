package dev.gorkie.local.aws;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// A function small enough to see through: it does what its event says.
public final class TinyHandler implements RequestHandler<Map<String, String>, Map<String, String>> {

  @Override
  public Map<String, String> handleRequest(Map<String, String> event, Context context) {
    return switch (event.getOrDefault("do", "")) {
      case "throw" -> throw new IllegalStateException(event.get("because"));
      case "exit" -> {
        Runtime.getRuntime().halt(3);
        yield Map.of();
      }
      case "hang" -> {
        waitForever();
        yield Map.of();
      }
      case "await" -> {
        awaitFile(Path.of(event.getOrDefault("file", "")));
        yield about(event, context);
      }
      default -> about(event, context);
    };
  }

  private static Map<String, String> about(Map<String, String> event, Context context) {
    return Map.of(
        "said", event.getOrDefault("say", ""),
        "release", System.getenv().getOrDefault("RELEASE", ""),
        "request", context.getAwsRequestId(),
        "function", context.getInvokedFunctionArn(),
        "pid", Long.toString(ProcessHandle.current().pid()),
        "left", Long.toString(context.getRemainingTimeInMillis()));
  }

  private static void awaitFile(Path file) {
    while (!Files.exists(file)) {
      Thread.onSpinWait();
    }
  }

  private static void waitForever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
