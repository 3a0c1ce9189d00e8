package dev.gorkie.inbox;

import java.util.concurrent.atomic.AtomicInteger;

/// Something a person said, and the delivery that tells of it.
record Said(
    String type,
    String channel,
    String channelType,
    String ts,
    String root,
    String text,
    boolean file,
    String user) {

  private static final AtomicInteger EVENTS = new AtomicInteger();

  Said text(String more) {
    return new Said(type, channel, channelType, ts, root, text + more, file, user);
  }

  Said mentioning() {
    return text("<@UBOT> ");
  }

  Said under(String newRoot) {
    return new Said(type, channel, channelType, ts, newRoot, text, file, user);
  }

  /// The same, by a program.
  String programsJson() {
    return json().replaceFirst("\"user\":", "\"bot_id\":\"BPAGER\",\"user\":");
  }

  Said withFile() {
    return new Said(type, channel, channelType, ts, root, text, true, user);
  }

  /// The same message, taken back.
  String deletedJson() {
    return envelope(
        """
        {"type":"message","subtype":"message_deleted","channel":"%s","channel_type":"%s","ts":"%s","deleted_ts":"%s",\
        "previous_message":%s}"""
            .formatted(channel, channelType, ts, ts, message()));
  }

  /// The same message, as it became at that time.
  String editedJson(String newText, String at) {
    var now = new Said(type, channel, channelType, ts, root, newText, file, user).message();
    return envelope(
        """
        {"type":"message","subtype":"message_changed","channel":"%s","channel_type":"%s","ts":"%s",\
        "message":%s,"previous_message":%s}"""
            .formatted(
                channel,
                channelType,
                at,
                now.replaceFirst("}$", ",\"edited\":{\"ts\":\"" + at + "\"}}"),
                message()));
  }

  private static String envelope(String event) {
    return """
        {"type":"event_callback","api_app_id":"A1","team_id":"T1","event_id":"Ev%d",\
        "authorizations":[{"team_id":"T1","user_id":"UBOT","is_bot":true}],"event":%s}"""
        .formatted(EVENTS.incrementAndGet(), event);
  }

  String json() {
    return envelope(message());
  }

  private String message() {
    var files =
        file
            ? """
            ,"subtype":"file_share","files":[{"id":"F1","name":"a.csv","mimetype":"text/csv","size":3,"mode":"hosted",\
            "url_private_download":"https://files.slack.com/a.csv"}]"""
            : "";
    var under = root.equals(ts) ? "" : ",\"thread_ts\":\"" + root + "\"";
    return """
        {"type":"%s","channel":"%s","channel_type":"%s","user":"%s","ts":"%s","event_ts":"%s","text":"%s"%s%s}"""
        .formatted(type, channel, channelType, user, ts, ts, text, under, files);
  }
}
