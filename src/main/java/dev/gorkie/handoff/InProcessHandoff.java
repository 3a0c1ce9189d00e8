package dev.gorkie.handoff;

import dev.gorkie.ThreadKey;
import dev.gorkie.logbook.Trail;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// From door to work inside one process. There is no queue behind it, so the inbox is what makes it durable.
final class InProcessHandoff implements Handoff {

  private static final Logger LOG = Logger.getLogger(InProcessHandoff.class);

  // Slack waits three seconds for its 200; the third is for the way back.
  private static final long ACCEPT_SECONDS_MAX = 2;

  private final Worker worker;

  InProcessHandoff(Worker worker) {
    this.worker = worker;
  }

  @Override
  public boolean carry(Delivery delivery) {
    // Whoever takes it in late wakes its thread all the same; else nobody would before the sweep.
    var accepting = new FutureTask<>(() -> worker.accept(delivery).ifPresent(this::wake), true);
    Thread.ofVirtual().name("accept").start(Trail.carriedOn(accepting));
    try {
      return accepting.get(ACCEPT_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      LOG.warnf("The inbox took longer than %d s; Slack will deliver again", ACCEPT_SECONDS_MAX);
      return false;
    } catch (ExecutionException e) {
      LOG.error("The inbox could not accept a delivery; Slack will deliver again", e.getCause());
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void wake(ThreadKey thread) {
    begin("turn " + thread, () -> worker.work(thread));
  }

  @Override
  public void carryOut(String operation) {
    begin(operation, () -> worker.carryOut(operation));
  }

  /// A process that goes on anyway looks by itself.
  @Override
  public void watch() {}

  @FunctionalInterface
  private interface Work {
    void work() throws InterruptedException;
  }

  private static void begin(String name, Work work) {
    Thread.ofVirtual().name(name).start(Trail.carriedOn(() -> work(name, work)));
  }

  private static void work(String name, Work work) {
    try {
      work.work();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // The lease lapses and the sweep begins it again.
      LOG.errorf(e, "The work on %s broke off", name);
    }
  }
}
