package dev.gorkie.way;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The packaged server, running as an operator runs it: a process with an environment.
public final class Gorkie implements AutoCloseable {

  private static final Pattern LISTENING = Pattern.compile("Listening on: (http://[^ \"]+)");
  // A secret's name, and what is to be done with tokens.
  private static final Set<String> NO_SECRETS = Set.of("DAYTONA_SECRET", "GORKIE_TOKEN");
  private static final Duration START_MAX = Duration.ofSeconds(60);

  // What a small host gives; a file that went through memory whole would be noticed.
  private static final int HEAP_MB = 128;

  // A test's server lives for seconds. What makes it faster later takes the processors from
  // everybody who waits for it now.
  private static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  // Of all that were started in this process.
  private static final Set<String> SECRETS = ConcurrentHashMap.newKeySet();

  private final Process process;
  private final Path log;
  private final CompletableFuture<URI> url = new CompletableFuture<>();
  private final List<String> said = new ArrayList<>();
  private final Thread listener;
  // From then on a stream that breaks off is none of our concern.
  private volatile boolean closing;

  private Gorkie(Process process, Path log) {
    this.process = process;
    this.log = log;
    // To read from a pipe is to wait in native code: two of these on virtual threads hold up all
    // others on two processors.
    this.listener = Thread.ofPlatform().daemon().name("listener").start(() -> listen(log));
  }

  /// Ends with the tests' own process, whatever becomes of them.
  public static Gorkie start(Map<String, String> environment) throws IOException {
    return start(environment, HEAP_MB, SHORT_LIVED);
  }

  /// For whoever measures it: as Java runs it by itself, with a heap of so many megabytes at most.
  public static Gorkie start(Map<String, String> environment, int heapMb) throws IOException {
    return start(environment, heapMb, List.of());
  }

  private static Gorkie start(Map<String, String> environment, int heapMb, List<String> java)
      throws IOException {
    var server = System.getProperty("gorkie.server", "target/quarkus-app/quarkus-run.jar");
    var isNative = !server.endsWith(".jar");
    var command = new ArrayList<String>();
    command.add(isNative ? server : System.getProperty("java.home") + "/bin/java");
    command.addAll(
        List.of(
            "-Xmx" + heapMb + "m",
            // Nobody has set a language here.
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8",
            "-Dquarkus.http.host=127.0.0.1",
            "-Dquarkus.http.port=0"));
    if (!isNative) {
      command.addAll(java);
      command.addAll(List.of("-jar", server));
    }
    var builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    var process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Files.createDirectories(Path.of("target"));
    environment.forEach(
        (name, value) -> {
          if (name.matches(".*_(SECRET|TOKEN|KEY)") && !NO_SECRETS.contains(name)) {
            SECRETS.add(value);
          }
        });
    return new Gorkie(process, Path.of("target", "gorkie-" + process.pid() + ".log"));
  }

  /// What every Gorkie of this process was told that is nobody's business.
  static Set<String> secrets() {
    return SECRETS.stream().filter(secret -> !secret.isEmpty()).collect(Collectors.toSet());
  }

  /// Where it writes what it says.
  Path log() {
    return log;
  }

  /// As whoever deploys the next one does; it may take its time.
  void tellToEnd() {
    process.destroy();
  }

  /// Where it listens, as soon as it does.
  public URI url() {
    try {
      return url.get(START_MAX.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("Gorkie did not start:\n" + output(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public URI events() {
    return url().resolve("/slack/events");
  }

  public ProcessHandle process() {
    return process.toHandle();
  }

  /// Its exit code, for one that is expected to end by itself.
  public int end() throws InterruptedException {
    if (!process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("Gorkie still runs:\n" + output());
    }
    listener.join();
    return process.exitValue();
  }

  public String output() {
    synchronized (said) {
      return String.join("\n", said);
    }
  }

  /// As the machine under it would, in the middle of whatever it does.
  public void kill() throws InterruptedException {
    closing = true;
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    process.destroy();
    if (!process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    var output = output();
    if (secrets().stream().anyMatch(output::contains)) {
      throw new AssertionError("It has written a secret into " + log);
    }
  }

  private void listen(Path log) {
    try (var lines = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var file = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        file.println(line);
        file.flush();
        synchronized (said) {
          said.add(line);
        }
        var listening = LISTENING.matcher(line);
        if (listening.find()) {
          url.complete(URI.create(listening.group(1)));
        }
      }
    } catch (IOException e) {
      if (!closing) {
        throw new UncheckedIOException(e);
      }
    } finally {
      url.completeExceptionally(new IllegalStateException("It ended before it listened"));
    }
  }
}
