package dev.gorkie.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The way from sandboxes to the application's door, on which the word that a job is over meets its fate.
final class Post implements AutoCloseable {

  private static final int TAKEN = 204;
  private static final int UNKNOWN = 404;
  private static final int GONE = 502;
  private static final int AGAIN = 503;
  // Where nobody says it any more, somebody has found it by then or never does.
  private static final Duration LATE_MOST = Duration.ofMinutes(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final int OFTEN = 5;
  private static final int LATE_TIMES = 3;
  private static final String ALGORITHM = "HmacSHA256";

  private final HttpServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Books books;
  private final Crew crew;
  private final String secret;
  private final URI door;
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final Queue<Duration> heardAfter = new ConcurrentLinkedQueue<>();
  private final Set<String> forged = ConcurrentHashMap.newKeySet();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final Map<String, List<Violation>> violations = new ConcurrentHashMap<>();

  /// @param secret from which the application makes its tokens
  private Post(HttpServer server, Books books, Crew crew, String secret, URI door) {
    this.server = server;
    this.books = books;
    this.crew = crew;
    this.secret = secret;
    this.door = door;
  }

  /// A place for it, before there is anything behind it.
  static HttpServer place() throws IOException {
    return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  static Post open(HttpServer place, Books books, Crew crew, String secret, URI door) {
    var post = new Post(place, books, crew, secret, door);
    place.createContext("/", post::serve);
    place.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    place.start();
    return post;
  }

  /// So long after a job's end its row said so.
  void heardOf(Duration after) {
    heardAfter.add(after);
  }

  List<Duration> heardAfter() {
    return heardAfter.stream().sorted().toList();
  }

  /// What was taken that should not have been, or the other way round.
  List<Violation> violations(String thread) {
    return List.copyOf(violations.getOrDefault(thread, List.of()));
  }

  /// Says that this job, which runs, is over, in the ways that whoever is not its sandbox has.
  void forge(String thread, String job) throws IOException, InterruptedException {
    if (!forged.add(job)) {
      return;
    }
    var body =
        "{\"job\":\"%s\",\"state\":\"exited\",\"code\":0,\"seconds\":1,\"tail\":\"\"}"
            .formatted(job);
    var soon = Instant.now().plus(Duration.ofHours(1)).getEpochSecond();
    var words = new ArrayList<String>();
    words.add("");
    words.add("Bearer " + soon + "." + "0".repeat(64));
    words.add("Bearer " + signed(hmac("guessed".getBytes(UTF_8), "gorkie job token"), job, soon));
    // The key that signs what Slack says signs nothing here.
    words.add("Bearer " + signed(secret.getBytes(UTF_8), job, soon));
    words.add(expired(job));
    tokens.forEach(
        (other, token) -> {
          if (!other.equals(job) && words.size() < LATE_TIMES * OFTEN) {
            words.add(token);
          }
        });
    for (var word : words) {
      mustBe(thread, tell(job, word, body), UNKNOWN, "a forged end of " + job);
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var job = exchange.getRequestURI().getPath().split("/")[2];
      var token =
          Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
      tokens.put(job, token);
      exchange.sendResponseHeaders(came(job, token, body), -1);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private int came(String job, String token, String body) throws IOException, InterruptedException {
    var row = books.rows("select thread_id, command from jobs where job_id = ?", job).getFirst();
    var thread = Books.word(row, "thread_id");
    crew.knows(job, thread);
    return switch (Fate.named(Books.word(row, "command")).orElse(Fate.FORGED)) {
      case LOST -> GONE;
      case OFTEN -> often(thread, job, token, body);
      case FORGED -> {
        forge(thread, job);
        yield tell(job, token, body);
      }
      case LATE -> {
        if (held.add(job)) {
          Thread.ofVirtual().name("late-" + job).start(() -> late(thread, job, token, body));
        }
        yield GONE;
      }
      case EXPIRED -> {
        mustBe(thread, tell(job, expired(job), body), UNKNOWN, "an expired end of " + job);
        yield UNKNOWN;
      }
    };
  }

  private int often(String thread, String job, String token, String body)
      throws InterruptedException {
    try (var side = Executors.newVirtualThreadPerTaskExecutor()) {
      var tries = new ArrayList<Future<Integer>>();
      for (var time = 0; time < OFTEN; time++) {
        tries.add(side.submit(() -> tell(job, token, body)));
      }
      var answer = AGAIN;
      for (var one : tries) {
        var status = result(one);
        mustBe(thread, status, TAKEN, "an end of " + job);
        answer = status == TAKEN ? TAKEN : answer;
      }
      return answer;
    }
  }

  private static int result(Future<Integer> one) throws InterruptedException {
    try {
      return one.get();
    } catch (ExecutionException _) {
      return AGAIN; // the door's process was killed meanwhile
    }
  }

  private void late(String thread, String job, String token, String body) {
    try {
      var until = Instant.now().plus(LATE_MOST);
      while (!isOver(job) && Instant.now().isBefore(until)) {
        Thread.sleep(LOOK_EVERY);
      }
      for (var time = 0; time < LATE_TIMES; time++) {
        mustBe(thread, tell(job, token, body), TAKEN, "a late end of " + job);
      }
    } catch (IOException | InterruptedException _) {
      // The scene is being closed.
    }
  }

  private boolean isOver(String job) {
    return !books.rows("select 1 from jobs where job_id = ? and state = 'over'", job).isEmpty();
  }

  private int tell(String job, String token, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(door.resolve("/sandbox-jobs/" + job + "/complete"))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private void mustBe(String thread, int status, int wanted, String what) {
    // A door that is busy says so, and has let nothing through.
    if (status != wanted && status != AGAIN) {
      violations
          .computeIfAbsent(thread, _ -> new CopyOnWriteArrayList<>())
          .add(new Violation("R19", "%s was answered with %d".formatted(what, status)));
    }
  }

  private String expired(String job) {
    var before = Instant.now().minus(Duration.ofSeconds(1)).getEpochSecond();
    return "Bearer " + signed(hmac(secret.getBytes(UTF_8), "gorkie job token"), job, before);
  }

  private static String signed(byte[] key, String job, long expires) {
    return expires + "." + HexFormat.of().formatHex(hmac(key, job + "." + expires));
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    http.close();
  }
}
