package dev.gorkie.local.slack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a person writes somewhere.
///
/// @param channel the place by id or name; `@ada` is where ada and the app write to each other
/// @param user whoever writes, by id or name
/// @param text as typed, with names like `@gorkie` for mentions
/// @param threadTs the thread it is a reply in
public record Utterance(
    String channel,
    String user,
    String text,
    Optional<String> threadTs,
    List<Upload> files,
    DeliveryOptions delivery) {

  public Utterance {
    files = List.copyOf(files);
  }

  public static Utterance in(String channel, String user, String text) {
    return new Utterance(channel, user, text, Optional.empty(), List.of(), DeliveryOptions.usual());
  }

  /// To the app alone.
  public static Utterance direct(String user, String text) {
    return in(user.startsWith("@") ? user : "@" + user, user, text);
  }

  public Utterance inThread(String ts) {
    return new Utterance(channel, user, text, Optional.of(ts), files, delivery);
  }

  public Utterance with(Upload file) {
    var more = new ArrayList<>(files);
    more.add(file);
    return new Utterance(channel, user, text, threadTs, more, delivery);
  }

  public Utterance delivered(DeliveryOptions options) {
    return new Utterance(channel, user, text, threadTs, files, options);
  }
}
