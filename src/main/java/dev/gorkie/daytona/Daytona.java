package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.ControlPlane.Machine;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sockets.PromptSockets;
import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import io.smallrye.config.Secret;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.client.ClientRequestFilter;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import org.jboss.resteasy.reactive.client.api.QuarkusRestClientProperties;

/// Our connections to Daytona, made when the first machine is asked for.
@ApplicationScoped
class Daytona {

  // Daytona's toolbox answers by what it takes the caller for, so the caller is constant.
  private static final String SDK_VERSION = "0.205.1";
  private static final Duration CONNECT_MOST = Duration.ofSeconds(10);
  // The proxy ends a connection idle for 70 s, and what stands before it perhaps sooner.
  private static final int IDLE_CONNECTION_SECONDS_MAX = 30;
  private static final int CONNECTIONS_MAX = 256;
  // Each call has a time-out of its own; the client's must only be longer than all of them.
  private static final Duration ANY_CALL_MOST = Duration.ofHours(1);
  private static final Duration BYTE_MOST = Duration.ofSeconds(60);

  private final DaytonaSettings settings;
  private final Logbook logbook;
  private final Calls calls;
  private final ControlPlane controlPlane;
  private final Account account;
  private final Toolbox toolbox;
  private final ExecutorService streaming = Executors.newVirtualThreadPerTaskExecutor();
  private final OkHttpClient streams;
  private final Terms terms;
  private final Directories directories = new Directories();

  Daytona(DaytonaSettings settings, Logbook logbook) {
    this.settings = settings;
    this.logbook = logbook;
    this.calls = new Calls(settings.pollFirst());
    var headers = headers(settings);
    this.controlPlane = client(ControlPlane.class, headers);
    this.account = client(Account.class, headers);
    this.toolbox = client(Toolbox.class, headers);
    this.streams = streams(headers);
    this.terms = new Terms(this);
  }

  Directories directories() {
    return directories;
  }

  DaytonaSettings settings() {
    return settings;
  }

  Logbook logbook() {
    return logbook;
  }

  Calls calls() {
    return calls;
  }

  ControlPlane controlPlane() {
    return controlPlane;
  }

  Account account() {
    return account;
  }

  Toolbox toolbox() {
    return toolbox;
  }

  /// For what is too long for the REST client, which keeps a body in memory, and for terminals.
  OkHttpClient streams() {
    return streams;
  }

  Terms terms() {
    return terms;
  }

  /// A machine as it is now. One that runs knows where its toolbox is, also where Daytona says that only when asked.
  Answer<Machine> look(String idOrName, Duration timeout, Deadline deadline)
      throws InterruptedException {
    var answer =
        calls.repeatable(Calls.of(() -> controlPlane.machine(idOrName)), timeout, deadline);
    if (answer instanceof Answer.Given(var machine)
        && machine.nextStep() == State.Step.USE
        && machine.toolboxProxyUrl().isEmpty()) {
      return calls
          .repeatable(Calls.of(() -> controlPlane.toolboxProxyUrl(machine.id())), timeout, deadline)
          .map(proxy -> machine.at(proxy.url()));
    }
    return answer;
  }

  /// Where the machine's toolbox is. It moves with the machine, so the machine must have been looked at just now.
  static String addressOf(Machine machine) {
    var proxy =
        machine
            .toolboxProxyUrl()
            .orElseThrow(
                () -> new Failure(SandboxFailure.UNREACHABLE, machine.id() + " has no address"));
    return (proxy.endsWith("/") ? proxy : proxy + "/") + machine.id();
  }

  @PreDestroy
  void close() {
    for (var client : new Object[] {controlPlane, account, toolbox}) {
      try {
        ((Closeable) client).close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    streams.dispatcher().cancelAll();
    streaming.shutdownNow();
  }

  private static Map<String, String> headers(DaytonaSettings settings) {
    var key =
        settings
            .apiKey()
            .map(Secret::get)
            .orElseThrow(() -> new Failure(SandboxFailure.NOT_ALLOWED, "there is no API key"));
    return Map.of("Authorization", "Bearer " + key, "X-Daytona-SDK-Version", SDK_VERSION);
  }

  private <T> T client(Class<T> type, Map<String, String> headers) {
    ClientRequestFilter withHeaders = request -> headers.forEach(request.getHeaders()::putSingle);
    return QuarkusRestClientBuilder.newBuilder()
        .baseUri(settings.apiUrl())
        .connectTimeout(CONNECT_MOST.toMillis(), TimeUnit.MILLISECONDS)
        .readTimeout(ANY_CALL_MOST.toMillis(), TimeUnit.MILLISECONDS)
        .property(QuarkusRestClientProperties.CONNECTION_POOL_SIZE, CONNECTIONS_MAX)
        .property(QuarkusRestClientProperties.CONNECTION_TTL, IDLE_CONNECTION_SECONDS_MAX)
        .disableDefaultMapper(true)
        .register(new Refusals())
        .register(withHeaders)
        .build(type);
  }

  private OkHttpClient streams(Map<String, String> headers) {
    var dispatcher = new Dispatcher(streaming);
    // A terminal counts as a running call for as long as it is open.
    dispatcher.setMaxRequests(Integer.MAX_VALUE);
    return new OkHttpClient.Builder()
        .dispatcher(dispatcher)
        .socketFactory(new PromptSockets())
        // A process that was frozen meanwhile finds kept connections dead, and a stream can't be
        // sent again.
        .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
        .connectTimeout(CONNECT_MOST)
        .readTimeout(BYTE_MOST)
        .writeTimeout(BYTE_MOST)
        .pingInterval(settings.pingEvery())
        .followRedirects(false)
        .addInterceptor(
            chain -> {
              var request = chain.request().newBuilder();
              headers.forEach(request::header);
              return chain.proceed(request.build());
            })
        .build();
  }
}
