package dev.gorkie.local.daytona;

import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.WebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// A Daytona on this machine, over its own wires: real directories, real processes, real terminals.
///
/// It isolates nothing. What runs in a sandbox runs as whoever started this, and may read, write and reach
/// whatever that person may. It listens on the loopback address only, and there is no setting for another one.
///
/// A sandbox's directory outlives this; its processes do not.
public final class LocalDaytona implements AutoCloseable {

  /// Where and how it stands.
  ///
  /// @param port 0 for any free one
  /// @param directory where the sandboxes are; made when it is not there
  /// @param image what a sandbox knows as `$GORKIE`
  /// @param apiKey what a client must show
  /// @param snapshot the name under which the image is known, active from the beginning
  /// @param diskGiB what the sandboxes may have together, three each, archived ones not counted; 0 for any
  public record Settings(
      int port,
      Path directory,
      Path image,
      String apiKey,
      String snapshot,
      Delays delays,
      int diskGiB) {

    public Settings {
      directory = directory.toAbsolutePath().normalize();
      image = image.toAbsolutePath().normalize();
    }

    public static Settings of(Path directory, Path image) {
      return new Settings(0, directory, image, "local", "gorkie", Delays.usual(), 0);
    }

    public Settings withPort(int port) {
      return new Settings(port, directory, image, apiKey, snapshot, delays, diskGiB);
    }

    public Settings withApiKey(String apiKey) {
      return new Settings(port, directory, image, apiKey, snapshot, delays, diskGiB);
    }

    public Settings withSnapshot(String snapshot) {
      return new Settings(port, directory, image, apiKey, snapshot, delays, diskGiB);
    }

    public Settings withDelays(Delays delays) {
      return new Settings(port, directory, image, apiKey, snapshot, delays, diskGiB);
    }

    public Settings withDiskGiB(int diskGiB) {
      return new Settings(port, directory, image, apiKey, snapshot, delays, diskGiB);
    }
  }

  /// A sandbox as it is now.
  public record View(
      String id, String name, State state, Path home, Path work, List<ProcessHandle> processes) {}

  /// A terminal of a sandbox, and the last of what it has written.
  public record TerminalView(String id, Instant created, boolean open, String tail) {}

  /// What has happened so far.
  public record Counts(long sandboxesCreated, long terminalsOpened, long terminalBytes) {}

  private static final Logger LOG = Logger.getLogger(LocalDaytona.class);

  private static final String README =
      """
      The sandboxes of a local Daytona lie here, one directory each.

      Nothing isolates them: what runs in one runs as you do. Whatever is in here may be deleted
      while nothing runs.
      """;

  private final Faults faults = new Faults();
  private final Vault vault = new Vault();
  private final LocalAccount account = new LocalAccount();
  private final Counters counters = new Counters();
  private final Cast cast = new Cast();
  private final Shapes shapes = new Shapes();
  private final Requests requests = new Requests(shapes);
  private final ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("local-daytona-clock").factory());
  private final Thread atExit = new Thread(this::killAll, "local-daytona-end");
  private final FileChannel claim;
  private final Fleet fleet;
  private final Snapshots snapshots;
  private final Lifecycle lifecycle;
  private final ControlPlane controlPlane;
  private final Toolbox toolbox;
  private final LocalRoutes local;
  private final WebServer web;

  private LocalDaytona(Settings settings) throws IOException {
    var delays = settings.delays();
    var credentials = new Credentials(settings.apiKey());
    var presence = new Presence(delays.of(Delay.ACTIVITY));
    var stage = new Stage(faults, counters, cast, delays.of(Delay.CONNECTED));
    this.fleet = new Fleet(settings.directory(), settings.image(), vault, stage, delays, clock);
    this.snapshots = new Snapshots(settings.snapshot(), delays.of(Delay.ACTIVATE_SNAPSHOT), clock);
    this.lifecycle = new Lifecycle(fleet, snapshots, vault, delays, settings.diskGiB(), tasks);
    this.controlPlane =
        new ControlPlane(fleet, lifecycle, snapshots, vault, account, credentials, counters);
    this.toolbox = new Toolbox(fleet, presence, faults, delays.of(Delay.WARM_UP), credentials);
    this.local = new LocalRoutes(this, credentials);
    this.claim = claim(settings.directory());
    Files.writeString(settings.directory().resolve("README"), README);
    fleet.load();
    var period = Math.max(1, delays.of(Delay.TIMERS).toMillis());
    var _ =
        clock.scheduleWithFixedDelay(
            new Timers(fleet, lifecycle, presence, delays), period, period, TimeUnit.MILLISECONDS);
    try {
      this.web = WebServer.start(settings.port(), this::answer);
    } catch (RuntimeException failure) {
      end();
      throw failure;
    }
  }

  public static LocalDaytona start(Settings settings) throws IOException {
    var daytona = new LocalDaytona(settings);
    Runtime.getRuntime().addShutdownHook(daytona.atExit);
    LOG.infof(
        "a local Daytona at %s, its sandboxes in %s; nothing isolates them from this machine",
        daytona.url(), settings.directory());
    return daytona;
  }

  /// What a client takes for Daytona's own address.
  public URI url() {
    return URI.create("http://127.0.0.1:" + web.port() + "/api");
  }

  /// From now on nothing runs in the sandboxes: this plays it.
  public void playedBy(Player player) {
    cast.is(player);
  }

  public Faults faults() {
    return faults;
  }

  public Counts counts() {
    return new Counts(
        counters.sandboxesCreated.get(),
        counters.terminalsOpened.get(),
        counters.terminalBytes.get());
  }

  /// What was asked last, with all that stood in it but the bytes of files: whoever has the account may read it back.
  public List<String> requests() {
    return requests.newest();
  }

  /// Requests that the real service would take otherwise than they were meant, if at all; a sentence each.
  public List<String> misunderstandings() {
    return shapes.wrong();
  }

  public List<View> sandboxes() {
    return fleet.all().stream()
        .filter(machine -> !machine.state().isGone())
        .map(this::view)
        .toList();
  }

  public Optional<View> sandbox(String idOrName) {
    return fleet.find(idOrName).map(this::view);
  }

  /// Cuts every connection to every terminal, now.
  public void cutTerminals() {
    fleet.all().forEach(machine -> machine.terminals().cut());
  }

  /// Cuts every connection to the terminals of one sandbox, now.
  public void cutTerminals(String idOrName) {
    machine(idOrName).terminals().cut();
  }

  /// The terminals of a sandbox, the newest first; those too whose shell has ended lately.
  public List<TerminalView> terminals(String idOrName) {
    return machine(idOrName).terminals().views();
  }

  /// Puts a sandbox into a state at once, whatever is under way. In a transition it stays until a watchdog finds it.
  public void setState(String idOrName, State state) throws Exception {
    lifecycle.force(machine(idOrName), state);
  }

  /// Breaks a sandbox.
  public void fail(String idOrName, String reason, boolean recoverable) {
    lifecycle.fail(machine(idOrName), reason, recoverable);
  }

  /// Begins to remove a sandbox, as somebody at the dashboard might; its name is free at once.
  public void delete(String idOrName) {
    lifecycle.destroy(machine(idOrName));
  }

  /// Such as `inactive`.
  public void setSnapshotState(String idOrName, String state) {
    snapshots.set(
        snapshots
            .find(idOrName)
            .orElseThrow(() -> new IllegalArgumentException("no snapshot " + idOrName)),
        state);
  }

  /// What its key may do, whether it is suspended, and whether its sandboxes reach only a list of services.
  public void setAccount(List<String> rights, boolean suspended, boolean limited) {
    account.set(rights, suspended, limited);
  }

  /// Ends every process of every sandbox.
  @Override
  public void close() {
    web.close();
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException _) {
      // This machine is shutting down, and that hook with it.
    }
  }

  /// Whoever comes second would end the first one's processes.
  private static FileChannel claim(Path directory) throws IOException {
    Files.createDirectories(directory);
    var claim =
        FileChannel.open(
            directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (claim.tryLock() != null) {
        return claim;
      }
    } catch (OverlappingFileLockException _) {
      // Then it is somebody in this very process.
    }
    claim.close();
    throw new IOException("another local Daytona has its sandboxes in " + directory);
  }

  private void end() {
    clock.shutdownNow();
    vault.close();
    tasks.shutdownNow();
    killAll();
    try {
      claim.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void killAll() {
    fleet.all().forEach(machine -> machine.processes().killAll());
  }

  private Machine machine(String idOrName) {
    return fleet
        .find(idOrName)
        .orElseThrow(() -> new IllegalArgumentException("no sandbox " + idOrName));
  }

  private View view(Machine machine) {
    var shell = machine.terminals().shell();
    return new View(
        machine.id(),
        machine.name(),
        machine.state(),
        shell.home(),
        shell.work(),
        machine.processes().alive());
  }

  private Answer answer(Call asked) throws Exception {
    var call = requests.note(asked);
    var trouble = faults.take(call.method(), call.path());
    return trouble.isPresent() ? troubled(call, trouble.get()) : route(call);
  }

  private Answer troubled(Call call, Trouble trouble) throws Exception {
    Thread.sleep(trouble.delay());
    Answer real = new Answer.Dropped();
    if (trouble.effects() == 1) {
      real = route(call);
    } else if (trouble.effects() > 1) {
      var body = call.body().readAllBytes();
      for (var effect = 0; effect < trouble.effects(); effect++) {
        real = route(call.withBody(body));
      }
    }
    return switch (trouble.ending()) {
      case Trouble.Ending.Real() -> real;
      case Trouble.Ending.Instead(var status, var headers, var body) ->
          new Answer.Whole(status, headers, body.getBytes(StandardCharsets.UTF_8));
      case Trouble.Ending.Lost() -> new Answer.Dropped();
    };
  }

  private Answer route(Call call) throws Exception {
    var path = call.path();
    if (path.startsWith("/api/")) {
      return controlPlane.answer(call, path.substring("/api".length()));
    }
    if (path.startsWith("/toolbox/")) {
      return toolbox.answer(call, path.substring("/toolbox".length()));
    }
    return local.answer(call);
  }
}
