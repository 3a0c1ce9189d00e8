package dev.gorkie.slack;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.local.slack.Delays;
import dev.gorkie.local.slack.LocalSlack;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.logbook.Logbook;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.Secret;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// A workspace, the room `slack` that talks to it, and a message in it that wants an answer.
final class SlackAtHand implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(30);
  static final String TOKEN = "xoxb-local-bot-token";

  final LocalSlack workspace =
      LocalSlack.start(
          LocalSlack.Settings.deliveringTo(URI.create("http://127.0.0.1:9/slack/events"))
              .with(
                  new Delays(
                      SOON,
                      List.of(),
                      Duration.ofMinutes(2),
                      Duration.ofHours(1),
                      Duration.ofMinutes(5),
                      Duration.ofMillis(5))));
  private final SlackSettings settings;
  private final SlackHttp http;
  final SlackApi api;
  final Address address;
  private final Optional<Tables> tables;
  private final Optional<Replies> replies;

  /// Without a way to say anything.
  SlackAtHand() {
    this(Map.of(), Optional.empty());
  }

  SlackAtHand(Map<String, String> more) {
    this(more, Optional.empty());
  }

  SlackAtHand(Tables tables) {
    this(tables, Map.of());
  }

  SlackAtHand(Tables tables, Map<String, String> more) {
    this(more, Optional.of(tables));
    tables.clear();
  }

  private SlackAtHand(Map<String, String> more, Optional<Tables> tables) {
    var values = new HashMap<String, String>();
    values.put("gorkie.slack.api-url", workspace.url() + "api/");
    values.put("gorkie.slack.bot-token", TOKEN);
    values.put("gorkie.slack.card-interval", "20ms");
    values.put("gorkie.slack.card-delay", "1h");
    values.put("gorkie.slack.card-tick", "1h");
    values.put("gorkie.slack.read-back-pause", "5ms");
    values.put("gorkie.slack.post-every", "1ms");
    values.put("gorkie.slack.edit-every", "1ms");
    values.put("gorkie.slack.gate-step", "20ms");
    values.put("gorkie.slack.stream-characters", "40");
    values.put("gorkie.slack.stream-delay", "1h");
    values.put("gorkie.slack.stream-interval", "5ms");
    values.put("gorkie.slack.stream-every", "1ms");
    values.put("gorkie.slack.append-every", "1ms");
    values.putAll(more);
    settings = settings(values);
    http = new SlackHttp(settings);
    api = api(http, settings);
    this.tables = tables;
    replies =
        tables.map(
            it ->
                new Replies(api, it.outbox(), it.budgets(settings), Logbook.ofNobody(), settings));
    var ts = workspace.say("general", "ada", "@gorkie do something");
    address =
        new Address(
            new ThreadKey(workspace.teamId(), workspace.channel("general").id(), ts),
            workspace.channel("general").id(),
            ts,
            ts,
            workspace.person("ada").id());
  }

  /// With the one token there is.
  static SlackApi api(SlackHttp http, SlackSettings settings) {
    return new SlackApi(http, _ -> settings.botToken().map(Secret::get), settings);
  }

  static SlackSettings settings(Map<String, String> values) {
    return new SmallRyeConfigBuilder()
        .withMapping(SlackSettings.class)
        .withSources(new PropertiesConfigSource(values, "test", 100))
        .addDiscoveredConverters()
        .build()
        .getConfigMapping(SlackSettings.class);
  }

  /// For the only worker there is.
  Reply open(String turn) {
    return open(turn, new TestHold(1));
  }

  Reply open(String turn, Hold hold) {
    return open(turn, hold, Deadline.in(SOON));
  }

  Reply open(String turn, Hold hold, Deadline deadline) {
    return open(address, turn, hold, deadline);
  }

  Reply open(Address at, String turn, Hold hold, Deadline deadline) {
    var isSuccessor =
        tables.orElseThrow().database.transaction(() -> replies().takeOver(turn, hold));
    return replies().open(at, turn, deadline.clock().instant(), hold, isSuccessor, deadline);
  }

  Replies replies() {
    return replies.orElseThrow();
  }

  SlackHttp http() {
    return http;
  }

  /// As a server has it that opens its connection itself.
  Socket socket() {
    return new Socket(http, api, settings);
  }

  void decides(Reply reply, LastWord word) {
    tables
        .orElseThrow()
        .database
        .transaction(
            () -> {
              reply.decide(word);
              return true;
            });
    reply.stands();
  }

  /// Decides and delivers.
  boolean answers(Reply reply, String markdown) throws InterruptedException {
    reply.rest();
    decides(reply, new LastWord.Answer(markdown));
    return reply.deliver();
  }

  ThreadView thread() {
    return workspace.thread(address.channel(), address.rootTs());
  }

  List<MessageView> said() {
    return thread().byApp();
  }

  ThreadView await(Predicate<ThreadView> expected) throws InterruptedException {
    return workspace.awaitThread(address.channel(), address.rootTs(), expected, SOON);
  }

  @Override
  public void close() {
    http.close();
    workspace.close();
  }
}
