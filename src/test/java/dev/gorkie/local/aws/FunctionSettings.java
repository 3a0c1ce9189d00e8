package dev.gorkie.local.aws;

import java.time.Duration;

/// A function as it is deployed. `retries` and `age` are those of asynchronous invocations.
///
/// `timeout` is meant as it is; `age`, and the waits before a retry, are divided by the world's hurry.
public record FunctionSettings(
    String name,
    Code code,
    Duration timeout,
    int concurrency,
    boolean freezes,
    int retries,
    Duration age) {

  public static FunctionSettings of(String name, Code code) {
    return new FunctionSettings(
        name, code, Duration.ofSeconds(30), 4, false, 2, Duration.ofHours(1));
  }

  public FunctionSettings timeout(Duration newTimeout) {
    return new FunctionSettings(name, code, newTimeout, concurrency, freezes, retries, age);
  }

  public FunctionSettings concurrency(int newConcurrency) {
    return new FunctionSettings(name, code, timeout, newConcurrency, freezes, retries, age);
  }

  /// Its processes are stopped between invocations, as Lambda does it.
  public FunctionSettings freezing() {
    return new FunctionSettings(name, code, timeout, concurrency, true, retries, age);
  }

  public FunctionSettings age(Duration newAge) {
    return new FunctionSettings(name, code, timeout, concurrency, freezes, retries, newAge);
  }
}
