package dev.gorkie.slack;

import io.smallrye.config.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;

/// How we stand with Slack: whether it answers, and takes us for whom we are.
@ApplicationScoped
public class Standing {

  private final SlackHttp http;
  private final Optional<String> only;

  Standing(SlackHttp http, SlackSettings settings) {
    this.http = http;
    this.only = settings.botToken().map(Secret::get);
  }

  /// Why nothing could be said in Slack now; empty when something could. With many workspaces there is no one token to ask about,
  /// and that Slack misses it is an answer.
  public Optional<String> trouble() {
    return switch (http.call(only, "auth.test", Map.of(), Wire.Answer.class)) {
      case Result.Ok<Wire.Answer> _, Result.Later<Wire.Answer> _ -> Optional.empty();
      case Result.Refused<Wire.Answer> _ when only.isEmpty() -> Optional.empty();
      case Result.Refused<Wire.Answer>(var error) ->
          Optional.of("Slack refuses the token: " + error);
      case Result.Lost<Wire.Answer>(var why) -> Optional.of("Slack does not answer: " + why);
    };
  }
}
