package dev.gorkie.local.aws;

import java.time.Duration;
import java.util.Optional;

/// A function as it is deployed. `retries` and `age` are those of asynchronous invocations.
///
/// `timeout` is meant as it is; `age`, and the waits before a retry, are divided by the world's hurry. At `runtimeThrough` somebody
/// stands between its processes and the runtime API.
public record FunctionSettings(
    String name,
    Code code,
    Duration timeout,
    int concurrency,
    boolean freezes,
    int provisioned,
    int retries,
    Duration age,
    Optional<String> runtimeThrough) {

  public static FunctionSettings of(String name, Code code) {
    return new FunctionSettings(
        name, code, Duration.ofSeconds(30), 4, false, 0, 2, Duration.ofHours(1), Optional.empty());
  }

  public FunctionSettings code(Code newCode) {
    return new FunctionSettings(
        name, newCode, timeout, concurrency, freezes, provisioned, retries, age, runtimeThrough);
  }

  public FunctionSettings timeout(Duration newTimeout) {
    return new FunctionSettings(
        name, code, newTimeout, concurrency, freezes, provisioned, retries, age, runtimeThrough);
  }

  public FunctionSettings concurrency(int newConcurrency) {
    return new FunctionSettings(
        name, code, timeout, newConcurrency, freezes, provisioned, retries, age, runtimeThrough);
  }

  /// Its processes are stopped between invocations, as Lambda does it.
  public FunctionSettings freezing() {
    return new FunctionSettings(
        name, code, timeout, concurrency, true, provisioned, retries, age, runtimeThrough);
  }

  /// So many processes are kept started beyond those that work, within the concurrency.
  public FunctionSettings provisioned(int newProvisioned) {
    return new FunctionSettings(
        name, code, timeout, concurrency, freezes, newProvisioned, retries, age, runtimeThrough);
  }

  public FunctionSettings age(Duration newAge) {
    return new FunctionSettings(
        name, code, timeout, concurrency, freezes, provisioned, retries, newAge, runtimeThrough);
  }

  /// Its processes find the runtime API at this address.
  public FunctionSettings runtimeThrough(String authority) {
    return new FunctionSettings(
        name,
        code,
        timeout,
        concurrency,
        freezes,
        provisioned,
        retries,
        age,
        Optional.of(authority));
  }
}
