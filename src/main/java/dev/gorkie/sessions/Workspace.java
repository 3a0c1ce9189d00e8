package dev.gorkie.sessions;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.Conversation;
import dev.gorkie.pi.Manner;
import dev.gorkie.sandbox.Sandbox;
import java.util.Optional;
import org.jboss.logging.Logger;

/// A session that is open: the sandbox runs, and Pi can be spoken to.
public final class Workspace {

  private static final Logger LOG = Logger.getLogger(Workspace.class);

  private final Opening opening;
  private final Sandbox sandbox;
  private final long restedAt;
  private final boolean begun;
  private Names names;
  private boolean restored;
  private boolean looked;
  private boolean told;
  private Optional<News> news = Optional.empty();

  Workspace(Opening opening, Sandbox sandbox, Names names, boolean begun, long restedAt) {
    this.opening = opening;
    this.sandbox = sandbox;
    this.names = names;
    this.begun = begun;
    this.restedAt = restedAt;
  }

  public Sandbox sandbox() {
    return sandbox;
  }

  /// Up to where the turns before this one have read the journal.
  public long restedAt() {
    return restedAt;
  }

  /// What the people in the thread have not been told yet.
  public Optional<News> news() {
    if (!looked) {
      news = opening.news();
      looked = true;
    }
    return news;
  }

  /// What the turn comes to tells them; after the rest it is old.
  public void tellsNews() {
    told = true;
  }

  /// To be called while Pi works: what runs on a machine does not keep it awake.
  public void keepAwake() {
    try {
      opening.keepAwake(sandbox);
    } catch (Failure failure) {
      // It runs for a quarter of an hour without this, and a minute later we say it again.
      LOG.warnf(
          "Sandbox %s was not told that it is in use: %s", sandbox.id(), failure.getMessage());
    }
  }

  /// What was said is copied to where it outlives the sandbox.
  void copy() {
    opening.copy(names, sandbox);
  }

  public Agent agent(Manner manner, long offset, Deadline deadline) {
    return opening.agent(sandbox, conversation(begun), manner, offset, deadline);
  }

  boolean isTold() {
    return told;
  }

  private Conversation conversation(boolean hasBegun) {
    return new Conversation(names.session(), hasBegun, this::instead);
  }

  /// Pi does not find what was said. When it did not find the copy either, there is no use in another one.
  private Conversation instead() {
    var seed = restored ? Optional.<Integer>empty() : opening.source(names);
    names = names.nextSession();
    restored = true;
    var isThere = opening.restored(sandbox, names, seed);
    // That is news, too.
    news = opening.news();
    looked = true;
    return conversation(isThere);
  }
}
