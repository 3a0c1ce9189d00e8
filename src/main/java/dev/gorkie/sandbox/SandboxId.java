package dev.gorkie.sandbox;

/// What a machine is called by whoever rents it out; it stays the same for the machine's life.
public record SandboxId(String value) {

  @Override
  public String toString() {
    return value;
  }
}
