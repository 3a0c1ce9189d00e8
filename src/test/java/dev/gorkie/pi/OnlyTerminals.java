package dev.gorkie.pi;

import dev.gorkie.Deadline;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Terminal;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// A machine of which nothing is to be had but terminals.
final class OnlyTerminals implements Sandbox {

  private final Supplier<Terminal> terminals;

  OnlyTerminals(Supplier<Terminal> terminals) {
    this.terminals = terminals;
  }

  @Override
  public SandboxId id() {
    return new SandboxId("terminals");
  }

  @Override
  public Optional<String> image() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String name() {
    return "terminals";
  }

  @Override
  public Optional<String> network() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Terminal openTerminal(Deadline deadline) {
    return terminals.get();
  }

  @Override
  public String homeDirectory() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String workDirectory() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<FileInfo> info(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<URI> address(String path, Duration lasts) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void upload(String path, InputStream content) {
    throw new UnsupportedOperationException();
  }

  @Override
  public InputStream download(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void move(String source, String destination) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Executed execute(String command, Duration timeout) {
    throw new UnsupportedOperationException();
  }
}
