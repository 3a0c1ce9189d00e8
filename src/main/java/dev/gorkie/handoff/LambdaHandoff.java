package dev.gorkie.handoff;

import dev.gorkie.ThreadKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jboss.logging.Logger;

/// From one function to the other by an asynchronous invocation, which Lambda keeps and repeats until it succeeds.
final class LambdaHandoff implements Handoff {

  private static final Logger LOG = Logger.getLogger(LambdaHandoff.class);

  static final String DELIVERIES = "/internal/deliveries";
  // Whatever the clock does not say.
  private static final byte[] BY_ONE_AT_WORK = {1};

  private final LambdaInvocation invocation;

  LambdaHandoff(LambdaInvocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public boolean carry(Delivery delivery) {
    return invoke(DELIVERIES, delivery.body());
  }

  @Override
  public void wake(ThreadKey thread) {
    if (!invoke("/internal/wakes", thread.toString().getBytes(StandardCharsets.UTF_8))) {
      LOG.warnf("Thread %s was not woken; the sweep will find it", thread);
    }
  }

  @Override
  public void carryOut(String operation) {
    if (!invoke("/internal/operations", operation.getBytes(StandardCharsets.UTF_8))) {
      LOG.warnf("Nobody goes on with %s; the sweep will find it", operation);
    }
  }

  @Override
  public void watch() {
    if (!invoke("/internal/sweeps", BY_ONE_AT_WORK)) {
      LOG.warn("Nobody watches over this work before the clock strikes");
    }
  }

  private boolean invoke(String path, byte[] body) {
    try {
      var status = invocation.send(event(path, body));
      if (status == LambdaInvocation.ACCEPTED) {
        return true;
      }
      LOG.warnf("Lambda answered %d to an invocation of the worker", status);
    } catch (IOException e) {
      LOG.warn("The worker could not be invoked", e);
    }
    return false;
  }

  /// The smallest event that the worker's HTTP mapping understands. Base64 keeps every byte as it is.
  private static byte[] event(String path, byte[] body) {
    var event =
        """
        {"version":"2.0","rawPath":"%s","isBase64Encoded":true,"headers":{"content-type":"application/octet-stream"},\
        "requestContext":{"http":{"method":"POST","path":"%s"}},"body":"%s"}"""
            .formatted(path, path, Base64.getEncoder().encodeToString(body));
    return event.getBytes(StandardCharsets.US_ASCII);
  }
}
