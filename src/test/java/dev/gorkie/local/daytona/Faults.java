package dev.gorkie.local.daytona;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/// What is to go wrong, and when. Nothing does until somebody asks for it.
public final class Faults {

  private record Pending(Trouble trouble, Pattern path, AtomicInteger left) {

    boolean fits(String method, String asked) {
      return (trouble.method().equals("*") || trouble.method().equals(method))
          && path.matcher(asked).find();
    }
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final List<Pending> troubles = new CopyOnWriteArrayList<>();
  private final AtomicLong bytesUntilCut = new AtomicLong(NEVER);
  private volatile boolean terminalsRefused;
  private volatile boolean outputOvertaken;
  private volatile Optional<Duration> terminalsCutAfter = Optional.empty();

  Faults() {}

  /// Happens to the next calls it fits; of several the first one asked for comes first.
  public void add(Trouble trouble) {
    troubles.add(
        new Pending(trouble, Pattern.compile(trouble.path()), new AtomicInteger(trouble.times())));
  }

  /// Cuts the first terminal's connection that has got its share of so many bytes more, at exactly that byte.
  public void cutTerminalsAfter(long bytes) {
    bytesUntilCut.set(bytes);
  }

  /// Every terminal's connection from now on ends once nothing has passed over it for that long, not even a ping.
  public void cutSilentTerminalsAfter(Duration silence) {
    terminalsCutAfter = Optional.of(silence);
  }

  /// Whether terminals can be neither created nor connected to.
  public void refuseTerminals(boolean refused) {
    terminalsRefused = refused;
  }

  /// Whether a terminal's end overtakes the last of its output, which is lost.
  public void loseLastOutput(boolean lost) {
    outputOvertaken = lost;
  }

  /// All is well again.
  public void clear() {
    troubles.clear();
    bytesUntilCut.set(NEVER);
    terminalsRefused = false;
    outputOvertaken = false;
    terminalsCutAfter = Optional.empty();
  }

  Optional<Duration> terminalsCutAfter() {
    return terminalsCutAfter;
  }

  Optional<Trouble> take(String method, String path) {
    return troubles.stream()
        .filter(pending -> pending.fits(method, path))
        .filter(pending -> pending.left().getAndDecrement() > 0)
        .map(Pending::trouble)
        .findFirst();
  }

  /// How many of so many bytes may go to a terminal before its connection is cut; all of them when it is not to be.
  int share(int bytes) {
    var before =
        bytesUntilCut.getAndUpdate(left -> left == NEVER || left < bytes ? NEVER : left - bytes);
    return (int) Math.min(before, bytes);
  }

  boolean terminalsRefused() {
    return terminalsRefused;
  }

  boolean outputOvertaken() {
    return outputOvertaken;
  }
}
