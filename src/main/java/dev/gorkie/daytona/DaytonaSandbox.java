package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Lost;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.daytona.ControlPlane.Machine;
import dev.gorkie.daytona.Toolbox.Command;
import dev.gorkie.daytona.Toolbox.Directory;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sandbox.Terminal;
import io.smallrye.mutiny.Uni;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jboss.logging.Logger;

/// One machine at Daytona, through its toolbox.
final class DaytonaSandbox implements Sandbox {

  private static final Logger LOG = Logger.getLogger(DaytonaSandbox.class);

  private static final Duration CALL_MOST = Duration.ofSeconds(10);
  private static final Duration ASKING_MOST = Duration.ofSeconds(25);
  private static final Duration REPLACE_MOST = Duration.ofSeconds(10);
  // Time for the answer to come back after the command was ended for taking too long.
  private static final Duration AFTER_A_COMMAND = Duration.ofSeconds(5);

  private final Daytona daytona;
  private final SandboxId id;
  private final String name;
  private final Optional<String> image;
  private final Optional<String> network;
  private final ToolboxLine line;
  private final Transfers transfers;

  DaytonaSandbox(Daytona daytona, Machine machine) {
    this.daytona = daytona;
    this.id = new SandboxId(machine.id());
    this.name = machine.name();
    this.image = machine.snapshot();
    this.network = machine.labels().flatMap(it -> Optional.ofNullable(it.get(Sandboxes.NETWORK)));
    this.line = new ToolboxLine(daytona, machine);
    this.transfers = new Transfers(daytona.streams(), line);
  }

  @Override
  public SandboxId id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> image() {
    return image;
  }

  @Override
  public Optional<String> network() {
    return network;
  }

  @Override
  public String homeDirectory() {
    return directory("home", daytona.toolbox()::homeDirectory);
  }

  @Override
  public String workDirectory() {
    return directory("work", daytona.toolbox()::workDirectory);
  }

  private String directory(String which, Function<String, Uni<Directory>> call) {
    return daytona
        .directories()
        .of(id, which, () -> repeatable(call).orThrow("ask for the " + which + " directory").dir());
  }

  @Override
  public Optional<FileInfo> info(String path) {
    var checked = RemotePath.checked(path);
    var answer = repeatable(address -> daytona.toolbox().info(address, checked));
    if (isMissing(answer)) {
      return Optional.empty();
    }
    var entry = answer.orThrow("look at a file");
    return Optional.of(new FileInfo(entry.name(), entry.size(), entry.isDir()));
  }

  @Override
  public void createDirectory(String path) {
    var checked = RemotePath.checked(path);
    repeatable(address -> daytona.toolbox().createDirectory(address, checked, "0755"))
        .orThrow("create a directory");
  }

  @Override
  public void upload(String path, InputStream content) {
    var target = RemotePath.checked(path);
    var aside = RemotePath.besides(target);
    try {
      transfers.upload(aside, content);
      move(aside, target);
    } catch (Failure failure) {
      discard(aside);
      throw failure;
    }
  }

  /// What was left of an upload, if the machine can be reached at all; why the upload failed is what counts.
  private void discard(String path) {
    try {
      delete(path);
    } catch (Failure failure) {
      LOG.infof("sandbox %s keeps a part of an upload: %s", id, failure.getMessage());
    }
  }

  @Override
  public InputStream download(String path) {
    var checked = RemotePath.checked(path);
    return Uninterrupted.get(() -> transfers.download(checked));
  }

  @Override
  public Optional<URI> address(String path, Duration lasts) {
    var checked = RemotePath.checked(path);
    var answer =
        Uninterrupted.get(
            () ->
                daytona
                    .calls()
                    .repeatable(
                        Calls.of(() -> daytona.controlPlane().signingKey(id.value())),
                        CALL_MOST,
                        Deadline.in(ASKING_MOST)));
    // Not every installation of Daytona has them.
    return isMissing(answer)
        ? Optional.empty()
        : Optional.of(
            SignedAddress.ofDownload(
                line.address(),
                checked,
                answer.orThrow("ask for the key of addresses").asText(),
                Instant.now().plus(lasts)));
  }

  @Override
  public void move(String source, String destination) {
    var from = RemotePath.checked(source);
    var to = RemotePath.checked(destination);
    var answer = repeatable(address -> daytona.toolbox().move(address, from, to));
    if (answer instanceof Refused<?>(var refusal) && refusal.status() == 409) {
      replace(from, to);
      return;
    }
    // Perhaps it was done and the answer lost, or a proxy asked for it a second time.
    var doubtful = isMissing(answer) || answer instanceof Lost;
    if (doubtful && info(from).isEmpty() && info(to).isPresent()) {
      return;
    }
    if (isMissing(answer)) {
      throw new Failure(SandboxFailure.NO_FILE, "move a file");
    }
    answer.orThrow("move a file");
  }

  /// Daytona's own move never replaces what is there. The shell's does, and nobody finds the name missing meanwhile.
  private void replace(String from, String to) {
    if (info(to).map(FileInfo::directory).orElse(false)) {
      throw new Failure(SandboxFailure.REFUSED, "move onto a directory");
    }
    var command = "mv -f -- " + Sandbox.quoted(from) + " " + Sandbox.quoted(to);
    var exitCode = execute(command, REPLACE_MOST).exitCode();
    if (exitCode != 0) {
      throw new Failure(SandboxFailure.REFUSED, "replace a file: exit code " + exitCode);
    }
  }

  @Override
  public void delete(String path) {
    var checked = RemotePath.checked(path);
    var answer = repeatable(address -> daytona.toolbox().delete(address, checked));
    if (!isMissing(answer)) {
      answer.orThrow("delete a file");
    }
  }

  @Override
  public Executed execute(String command, Duration timeout) {
    var seconds = Math.max(1, timeout.plusMillis(999).toSeconds());
    var mark = UUID.randomUUID().toString().replace("-", "");
    var asked = new Command(ShellCommand.apart(command, mark), workDirectory(), seconds);
    var most = Duration.ofSeconds(seconds).plus(AFTER_A_COMMAND);
    var answer =
        Uninterrupted.get(
            () ->
                line.once(
                    address -> daytona.toolbox().execute(address, asked),
                    most,
                    Deadline.in(most.plus(AFTER_A_COMMAND))));
    return switch (answer) {
      case Given(var ended) ->
          ShellCommand.executed(ended.exitCode(), ended.result().orElse(""), mark);
      case Refused(var refusal) when refusal.status() == 408 -> Executed.outOfTime();
      case Refused(var refusal) -> throw refusal.failure("execute a command");
      case Lost(_, var reason) ->
          throw new Failure(SandboxFailure.UNREACHABLE, "execute a command: " + reason);
    };
  }

  @Override
  public Terminal openTerminal(Deadline deadline) throws InterruptedException {
    return new TerminalOpening(daytona, line, deadline).inDirectory(workDirectory());
  }

  private <T> Answer<T> repeatable(Function<String, Uni<T>> call) {
    return Uninterrupted.get(() -> line.repeatable(call, CALL_MOST, Deadline.in(ASKING_MOST)));
  }

  private static boolean isMissing(Answer<?> answer) {
    return answer instanceof Refused<?>(var refusal) && refusal.status() == 404;
  }
}
