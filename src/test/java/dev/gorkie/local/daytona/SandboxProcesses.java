package dev.gorkie.local.daytona;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// The processes of one sandbox, those too that began a session of their own and belong to nobody any more.
///
/// They are known by a variable in their environment. Where the system does not show other processes'
/// environments (everywhere but on Linux) what counts is who descends from a process begun here.
final class SandboxProcesses {

  private static final String MARKER = "DAYTONA_SANDBOX_ID";
  private static final Duration DYING_MAX = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(1);

  private final String sandbox;
  private final Set<ProcessHandle> begun = ConcurrentHashMap.newKeySet();

  SandboxProcesses(String sandbox) {
    this.sandbox = sandbox;
  }

  /// What every process of the sandbox must have in its environment.
  Map<String, String> marker() {
    return Map.of(MARKER, sandbox);
  }

  void begun(Process process) {
    // By its number, since a terminal's process does not hand out a handle of itself.
    ProcessHandle.of(process.pid()).ifPresent(begun::add);
  }

  List<ProcessHandle> alive() {
    begun.removeIf(process -> !process.isAlive());
    var marked = ProcessHandle.allProcesses().filter(this::isMarked);
    var found = new LinkedHashMap<Long, ProcessHandle>();
    Stream.concat(begun.stream(), marked)
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .filter(SandboxProcesses::runs)
        .forEach(process -> found.put(process.pid(), process));
    return List.copyOf(found.values());
  }

  /// Nothing of the sandbox runs afterwards.
  void killAll() {
    var end = System.nanoTime() + DYING_MAX.toNanos();
    // Each look finds what was forked while the one before was killing.
    for (var alive = alive(); !alive.isEmpty(); alive = alive()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("of sandbox " + sandbox + " cannot be ended: " + alive);
      }
      alive.forEach(ProcessHandle::destroyForcibly);
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      var environment = Files.readString(proc(process, "environ"), StandardCharsets.ISO_8859_1);
      return ("\0" + environment).contains("\0" + MARKER + "=" + sandbox + "\0");
    } catch (IOException _) {
      return false; // it is gone, somebody else's, or this is no Linux
    }
  }

  /// Whether it is not even a dead one that nobody has waited for yet, which no signal makes go away.
  static boolean runs(ProcessHandle process) {
    try {
      var stat = Files.readString(proc(process, "stat"), StandardCharsets.ISO_8859_1);
      return !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException _) {
      return process.isAlive();
    }
  }

  private static Path proc(ProcessHandle process, String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }
}
