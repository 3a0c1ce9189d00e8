package dev.gorkie.local.daytona;

import java.util.concurrent.atomic.AtomicLong;

/// What has happened so far.
final class Counters {

  final AtomicLong sandboxesCreated = new AtomicLong();
  final AtomicLong terminalsOpened = new AtomicLong();
  final AtomicLong terminalBytes = new AtomicLong();
}
