package dev.gorkie.sandbox;

import dev.gorkie.Deadline;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All the machines there are for us. Every call may throw a `Failure` of this room's codes.
public interface Sandboxes {

  /// By this label a machine may reach what it says and nothing else: `none`, or names and IPv4 blocks with commas between them.
  String NETWORK = "network";

  /// Whether that is no more than what any machine may reach.
  boolean isWithinReach(String network);

  /// A machine that runs reaches this from now on, whatever its label said before, and no more than any may reach; the same as any
  /// where it is empty.
  void limit(SandboxId id, Optional<String> network, Deadline deadline) throws InterruptedException;

  /// The machine of this name, running. Whoever created it: a name taken is a machine adopted. Where that one is broken for
  /// good the failure is `BROKEN`, and only another name helps.
  Sandbox create(String name, Map<String, String> labels, Deadline deadline)
      throws InterruptedException;

  /// What a machine is made from that is created now, where that is known.
  Optional<String> image();

  /// For whoever has no deadline of his own.
  Found find(SandboxId id) throws InterruptedException;

  Found find(SandboxId id, Deadline deadline) throws InterruptedException;

  /// The machines that carry all these labels and are not known to be gone or broken. What happened in the last seconds may
  /// be missing, so that one that is not among them is to be looked for by its id.
  List<Listed> list(Map<String, String> labels) throws InterruptedException;

  /// Waits through every state until the machine runs. Never races a transition somebody else began.
  Sandbox start(SandboxId id, Deadline deadline) throws InterruptedException;

  void stop(SandboxId id);

  /// Puts a machine that sleeps away, where it takes no room and wakes up more slowly. One that does something else by now
  /// is left alone.
  void putAway(SandboxId id);

  /// There is no such machine when this returns, nor anything that was put away of it.
  void destroy(String idOrName, Deadline deadline) throws InterruptedException;

  /// A running process is no activity: without this an idle terminal's machine is stopped in mid-run.
  void keepAwake(SandboxId id);

  /// An address under which whoever has it reaches what listens on a port of the machine, for so long. Each time another one.
  URI preview(SandboxId id, int port, Duration lasts) throws InterruptedException;

  /// Arms the machine's end anew, counted from now.
  void extendLife(SandboxId id);

  /// A machine as it is listed.
  record Listed(SandboxId id, String name, Map<String, String> labels) {}
}
