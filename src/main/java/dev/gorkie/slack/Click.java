package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A click on one of our buttons. It comes as a form with one field, which holds JSON.
final class Click {

  /// What the card's button is called.
  static final String STOP = "gorkie_stop";

  /// A question's two.
  static final String ALLOW = "gorkie_allow";

  static final String REFUSE = "gorkie_refuse";

  /// What the message shortcut is called.
  static final String CONTINUE = "gorkie_continue";

  private static final String GO_ON =
      "Please go on from here, and do what the message %s in this thread asks for, or say what you would do about it.";
  private static final Pattern QUESTION = Pattern.compile("[A-Za-z0-9-]{1,128}");

  private static final byte[] FIELD = "payload=".getBytes(UTF_8);

  private Click() {}

  static boolean isOne(byte[] body) {
    return body.length > FIELD.length
        && Arrays.equals(body, 0, FIELD.length, FIELD, 0, FIELD.length);
  }

  static SlackEvent read(byte[] body) {
    JsonNode click;
    try {
      var field = new String(body, FIELD.length, body.length - FIELD.length, UTF_8);
      click = DoorJson.READER.readTree(URLDecoder.decode(field, UTF_8));
    } catch (IOException | IllegalArgumentException _) {
      return new SlackEvent.Malformed("no form with JSON in it");
    }
    var action = click.path("actions").path(0);
    if (click.path("callback_id").asText().equals(CONTINUE)) {
      return goOn(click);
    }
    return switch (action.path("action_id").asText()) {
      case HomePage.MODEL ->
          chosen(
              click,
              new AtHome.Change.Model(action.path("selected_option").path("value").asText()));
      case HomePage.SAVE ->
          chosen(
              click,
              new AtHome.Change.Instructions(
                  click
                      .path("view")
                      .path("state")
                      .path("values")
                      .path(HomePage.INSTRUCTIONS)
                      .path(HomePage.INSTRUCTIONS)
                      .path("value")
                      .asText("")));
      case STOP -> stop(click, action);
      case ALLOW -> answer(click, action, true);
      case REFUSE -> answer(click, action, false);
      case String word when pressed(word).isPresent() -> chosen(click, action, pressed(word).get());
      default -> new SlackEvent.Unknown(click.path("type").asText());
    };
  }

  private static Optional<Pressed.Action> pressed(String word) {
    return Stream.of(Pressed.Action.values())
        .filter(action -> action.wire().equals(word))
        .findFirst();
  }

  private static SlackEvent chosen(JsonNode click, JsonNode action, Pressed.Action what) {
    var team = click.path("team").path("id").asText();
    var channel = click.path("channel").path("id").asText();
    var user = click.path("user").path("id").asText();
    var id = action.path("value").asText();
    var message = click.path("message");
    var thread = message.path("thread_ts").asText(message.path("ts").asText());
    var isAtHome = click.path("view").path("type").asText().equals("home");
    var isWhole =
        all(EventReader.ID, team, user)
            && (isAtHome || all(EventReader.ID, channel) && all(EventReader.TS, thread))
            && all(QUESTION, id);
    return isWhole
        ? new SlackEvent.Chosen(new Pressed(team, channel, thread, user, what, id))
        : new SlackEvent.Malformed("a choice without its place");
  }

  private static SlackEvent chosen(JsonNode click, AtHome.Change change) {
    var team = click.path("team").path("id").asText();
    var user = click.path("user").path("id").asText();
    return all(EventReader.ID, team, user)
        ? new SlackEvent.Visited(new AtHome(team, user, Optional.of(change)))
        : new SlackEvent.Malformed("a choice without whose it is");
  }

  /// A message's shortcut: we are asked into its thread, with nothing written.
  private static SlackEvent goOn(JsonNode click) {
    var app = click.path("api_app_id").asText(click.path("app_id").asText());
    var team = click.path("team").path("id").asText();
    var channel = click.path("channel").path("id").asText();
    var user = click.path("user").path("id").asText();
    var at = click.path("action_ts").asText();
    var message = click.path("message");
    var thread = message.path("thread_ts").asText(message.path("ts").asText());
    if (!all(EventReader.TS, at, thread) || !all(EventReader.ID, team, channel, user)) {
      return new SlackEvent.Malformed("a shortcut without its place");
    }
    return new SlackEvent.Said(
        new MessageEvent(
            app,
            "shortcut-" + at + "-" + user,
            MessageEvent.Kind.CONTINUED,
            team,
            channel,
            channel.startsWith("D"),
            at,
            Optional.of(thread),
            user,
            Optional.empty(),
            true,
            GO_ON.formatted(message.path("ts").asText()),
            List.of(),
            isStranger(click, team),
            List.of(),
            List.of()));
  }

  private static boolean isStranger(JsonNode click, String team) {
    var home = click.path("user").path("team_id").asText(team);
    return !home.equals(team) && !click.path("is_enterprise_install").asBoolean();
  }

  private static SlackEvent answer(JsonNode click, JsonNode action, boolean allowed) {
    var team = click.path("team").path("id").asText();
    var channel = click.path("channel").path("id").asText();
    var user = click.path("user").path("id").asText();
    var id = action.path("value").asText();
    var message = click.path("message");
    var thread = message.path("thread_ts").asText(message.path("ts").asText());
    var isWhole =
        all(EventReader.ID, team, channel, user)
            && all(EventReader.TS, thread)
            && all(QUESTION, id);
    return isWhole
        ? new SlackEvent.Decided(new Answered(team, channel, thread, user, id, allowed))
        : new SlackEvent.Malformed("an answer without its question");
  }

  private static SlackEvent stop(JsonNode click, JsonNode action) {
    var app = click.path("api_app_id").asText();
    var team = click.path("team").path("id").asText();
    var channel = click.path("channel").path("id").asText();
    var user = click.path("user").path("id").asText();
    var at = action.path("action_ts").asText();
    var message = click.path("message");
    var thread = message.path("thread_ts").asText(message.path("ts").asText());
    var isWhole = all(EventReader.ID, app, team, channel, user) && all(EventReader.TS, at, thread);
    if (!isWhole) {
      return new SlackEvent.Malformed("a click without its place");
    }
    return new SlackEvent.Said(
        MessageEvent.stop(
            app,
            "click-" + at + "-" + user,
            team,
            channel,
            channel.startsWith("D"),
            at,
            thread,
            user));
  }

  private static boolean all(Pattern form, String... words) {
    return List.of(words).stream().allMatch(word -> form.matcher(word).matches());
  }
}
