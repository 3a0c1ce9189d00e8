package dev.gorkie.local.aws;

/// Runs the test's own code on a virtual thread.
final class HereInstance implements Instance {

  private final String name;
  private final Code.Handler handler;
  private final Runnable whenFree;
  private volatile Thread running = Thread.ofVirtual().unstarted(() -> {});
  private volatile boolean idle = true;
  private volatile boolean dead;

  HereInstance(String name, Code.Handler handler, Runnable whenFree) {
    this.name = name;
    this.handler = handler;
    this.whenFree = whenFree;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isIdle() {
    return idle && !dead;
  }

  @Override
  public boolean isWarm() {
    return isIdle();
  }

  @Override
  public boolean wasWarm() {
    return true;
  }

  @Override
  public boolean isDead() {
    return dead;
  }

  @Override
  public void take(Invocation invocation) {
    idle = false;
    running = Thread.ofVirtual().name(name).start(() -> handle(invocation));
  }

  @Override
  public void close() {
    dead = true;
    running.interrupt();
  }

  private void handle(Invocation invocation) {
    invocation.begin();
    try {
      invocation.end(
          new Outcome.Succeeded(handler.handle(invocation.requestId(), invocation.payload())));
    } catch (Exception thrown) {
      invocation.end(
          Outcome.Failed.of(thrown.getClass().getName(), String.valueOf(thrown.getMessage())));
    }
    idle = true;
    whenFree.run();
  }
}
