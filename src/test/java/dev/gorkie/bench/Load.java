package dev.gorkie.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// What processes and a database have to bear while something goes on.
final class Load implements AutoCloseable {

  private static final Duration LOOKED_EVERY = Duration.ofMillis(500);
  private static final int KB_PER_MB = 1024;
  private static final int LOOKS_PER_SECOND = 2;
  // user, nice, system, idle, iowait, irq, softirq and steal; what guests had is among the first.
  private static final int TICKS_KINDS = 8;
  private static final int TICKS_IDLE = 3;

  private final String database;
  private final Supplier<List<Long>> processes;
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicLong memoryMb = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private final Thread looking;
  private final long began = System.nanoTime();
  private final Duration cpuBefore;
  private final long transactionsBefore;
  private final long memoryBefore;
  private final Ticks ticksBefore;

  /// What all processors of the machine have done since it was started, in the kernel's ticks.
  private record Ticks(long all, long idle) {}

  private Load(URI database, Supplier<List<Long>> processes) throws IOException {
    var person = database.getUserInfo().split(":", 2);
    this.database =
        "jdbc:postgresql://%s:%d%s?user=%s&password=%s"
            .formatted(
                database.getHost(), database.getPort(), database.getPath(), person[0], person[1]);
    this.processes = processes;
    this.cpuBefore = cpu();
    this.memoryBefore = memory();
    this.ticksBefore = ticks();
    this.transactionsBefore =
        asked("select xact_commit from pg_stat_database where datname = current_database()");
    this.looking = Thread.ofPlatform().daemon().name("load").start(this::look);
  }

  /// From now on.
  static Load on(URI database, Supplier<List<Long>> processes) throws IOException {
    return new Load(database, processes);
  }

  /// Of all these processes, those too that were not there at the beginning.
  Duration cpuUsed() {
    return cpu().minus(cpuBefore);
  }

  /// Which share of the machine's processors was busy, with whatever.
  double machineBusy() throws IOException {
    var now = ticks();
    var all = now.all() - ticksBefore.all();
    return all == 0 ? 0 : 1 - (double) (now.idle() - ticksBefore.idle()) / all;
  }

  /// All that they had, at most.
  long wholeMemoryMb() {
    return memoryMb.get();
  }

  /// Beyond what there was at the beginning, at most.
  long memoryMb() {
    return memoryMb.get() - memoryBefore;
  }

  long connections() {
    return connections.get();
  }

  double transactionsPerSecond() throws IOException {
    var now = asked("select xact_commit from pg_stat_database where datname = current_database()");
    return (now - transactionsBefore) / seconds();
  }

  double seconds() {
    return (System.nanoTime() - began) / 1e9;
  }

  private void look() {
    try {
      for (var looks = 0; !over.await(LOOKED_EVERY.toMillis(), TimeUnit.MILLISECONDS); looks++) {
        memoryMb.accumulateAndGet(memory(), Math::max);
        if (looks % LOOKS_PER_SECOND == 0) {
          connections.accumulateAndGet(
              asked(
                  "select count(*) from pg_stat_activity where datname = current_database() and pid"
                      + " <> pg_backend_pid()"),
              Math::max);
        }
      }
    } catch (IOException failed) {
      System.err.println("The load is not looked at any more: " + failed.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration cpu() {
    return processes.get().stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private long memory() throws IOException {
    var sum = 0L;
    for (var pid : processes.get()) {
      sum += memory(pid).orElse(0L);
    }
    return sum;
  }

  private static Ticks ticks() throws IOException {
    var stat = Path.of("/proc/stat");
    if (!Files.exists(stat)) {
      return new Ticks(0, 0); // not on Linux
    }
    var numbers =
        Stream.of(Files.readAllLines(stat).getFirst().split(" +"))
            .skip(1)
            .limit(TICKS_KINDS)
            .map(Long::parseLong)
            .toList();
    var all = numbers.stream().mapToLong(Long::longValue).sum();
    return new Ticks(all, numbers.get(TICKS_IDLE) + numbers.get(TICKS_IDLE + 1));
  }

  static Optional<Long> memory(long pid) throws IOException {
    var status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.exists(status)) {
      return Optional.empty(); // not on Linux, or gone
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / KB_PER_MB)
        .findFirst();
  }

  private long asked(String sql) throws IOException {
    try (var connection = DriverManager.getConnection(database);
        var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void close() throws InterruptedException {
    over.countDown();
    looking.join();
  }
}
