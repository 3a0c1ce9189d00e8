package dev.gorkie.local.slack;

import java.util.Optional;

/// Finds what a call names, or refuses it as Slack does.
final class Places {
  private final Workspace workspace;

  Places(Workspace workspace) {
    this.workspace = workspace;
  }

  /// A channel by its id. A person's id stands for the direct messages with them, where Slack takes one.
  Channel channel(Call call, String field) {
    var id = call.required(field);
    return workspace
        .channel(id)
        .filter(one -> one.id().equals(id) || id.startsWith("U"))
        .orElseThrow(() -> new Refusal("channel_not_found"));
  }

  /// A channel the app may write to.
  Channel writable(Call call, String field) {
    var channel = channel(call, field);
    if (!channel.members().contains(Workspace.APP_USER.id())) {
      throw new Refusal("not_in_channel");
    }
    return channel;
  }

  Message message(Channel channel, String ts, String refusal) {
    return workspace
        .message(channel, ts)
        .filter(one -> one.onlyFor.isEmpty())
        .orElseThrow(() -> new Refusal(refusal));
  }

  /// The thread a call names; one that is not there any more is no thread, and Slack posts to the channel itself.
  Optional<String> thread(Call call) {
    return call.text("thread_ts")
        .map(
            ts -> {
              if (!Stamps.isOne(ts)) {
                throw new Refusal("invalid_thread_ts");
              }
              return ts;
            });
  }
}
