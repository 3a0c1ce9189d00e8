package dev.gorkie.slack;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;

/// Why Slack could not be told or asked.
public enum SlackFailure implements FailureCode {
  NOT_CONFIGURED(
      Fault.OPERATOR,
      "I am not connected to this workspace any more. Please tell whoever runs Gorkie."),
  NOT_ALLOWED(
      Fault.OPERATOR,
      "Slack does not allow me to do this here. Please tell whoever runs Gorkie that the app lacks a right."),
  NO_PLACE(
      Fault.PERSON,
      "I cannot write in this place. Please invite me to the channel and send the message again."),
  BUSY(
      Fault.PROVIDER,
      "Slack asks me to slow down. Please send the message again in a few minutes."),
  UNREACHABLE(
      Fault.PROVIDER, "I could not reach Slack. Please send the message again in a few minutes."),
  /// What was said may have arrived or not, and could not be read back: it is not said again.
  UNSURE(
      Fault.PROVIDER,
      "I am not sure whether my answer arrived. If you do not see it, please send the message again."),
  REFUSED(
      Fault.PROVIDER, "Slack did not take what I wanted to say. Please send the message again."),
  EMPTY_FILE(
      Fault.PERSON,
      "That file is empty, and Slack takes no empty files. Ask me to put something into it."),
  FILE_NOT_TAKEN(
      Fault.LIMIT,
      "Slack does not take that file: it is too large, or uploads are switched off. Ask me to make it smaller, or ask this workspace's admins."),
  FILE_CHANGED(
      Fault.PERSON, "That file changed while I was uploading it. Please ask for it again.");

  private final Fault fault;
  private final String sentence;

  SlackFailure(Fault fault, String sentence) {
    this.fault = fault;
    this.sentence = sentence;
  }

  /// What one of Slack's error words means to us.
  static SlackFailure of(String error) {
    return switch (error) {
      case "not_authed",
          "invalid_auth",
          "account_inactive",
          "token_revoked",
          "token_expired",
          "missing_scope",
          "not_allowed_token_type",
          "ekm_access_denied",
          "org_login_required" ->
          NOT_ALLOWED;
      case "channel_not_found",
          "not_in_channel",
          "is_archived",
          "thread_not_found",
          "restricted_action",
          "restricted_action_thread_locked",
          "restricted_action_read_only_channel" ->
          NO_PLACE;
      case "file_upload_size_restricted", "file_uploads_disabled" -> FILE_NOT_TAKEN;
      case "ratelimited", "rate_limited" -> BUSY;
      default -> REFUSED;
    };
  }

  @Override
  public Fault fault() {
    return fault;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
