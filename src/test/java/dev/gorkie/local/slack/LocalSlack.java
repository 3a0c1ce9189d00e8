package dev.gorkie.local.slack;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A Slack workspace over HTTP on this machine. People act in it and read it through these methods, or under `/_local/`.
///
/// Places are named by id, by name (`general`), or as `@ada` for where ada and the app write to each other; people by
/// id or name.
public final class LocalSlack implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofSeconds(20);
  private final URI url;
  private final Settings settings;
  private final Building building;
  private final Wire wire;
  private final Changes changes = new Changes();
  private final Workspace workspace;
  private final FileShelf shelf;
  private final Faults faults;
  private final Scopes scopes;
  private final CallLog log;
  private final Deliveries deliveries;
  private final Events events;
  private final ConversationMethods conversations;
  private final Hands hands;
  private final Reader reader;
  private final AgentState agent;
  private final ViewMethods views;
  private final ManifestMethods manifests;
  private final Views outlook;
  private final Sockets sockets;
  private volatile Backstage backstage = new EmptyBackstage();

  /// @param port 0 for any that is free
  /// @param events where the app takes events; clicks and commands go to `/slack/interactions` and `/slack/commands`
  ///     beside it
  public record Settings(
      int port, String signingSecret, String botToken, URI events, Delays delays) {

    public static Settings deliveringTo(URI events) {
      return new Settings(0, "local-signing-secret", "xoxb-local-bot-token", events, Delays.real());
    }

    public Settings with(Delays delays) {
      return new Settings(port, signingSecret, botToken, events, delays);
    }

    public Settings on(int port) {
      return new Settings(port, signingSecret, botToken, events, delays);
    }
  }

  /// Opens a workspace with a few people and channels, and listens.
  public static LocalSlack start(Settings settings) {
    return new LocalSlack(settings);
  }

  private LocalSlack(Settings settings) {
    this(settings, new Building(settings), Workspace.FIRST, "Local");
  }

  /// What several workspaces have in common.
  private static final class Building {
    private final Clock clock = Clock.systemUTC();
    private final Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(2)
                .setWorkerPoolSize(4)
                .setInternalBlockingPoolSize(4)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false)));
    private final ExecutorService work = Executors.newVirtualThreadPerTaskExecutor();
    private final Grants grants = new Grants(clock);
    private final Neighbours neighbours = new Neighbours(grants);
    private final CompletableFuture<Door> door = new CompletableFuture<>();
    private final List<LocalSlack> workspaces = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final URI url;

    Building(Settings settings) {
      server = listen(vertx, settings.port(), door);
      url = URI.create("http://127.0.0.1:" + server.actualPort() + "/");
    }

    void close() {
      soon(server.close());
      work.shutdownNow();
      work.close();
      soon(vertx.close());
      workspaces.forEach(one -> one.shelf.close());
    }
  }

  private LocalSlack(Settings settings, Building building, String team, String name) {
    this.settings = settings;
    this.building = building;
    var isFirst = team.equals(Workspace.FIRST);
    var clock = building.clock;
    var work = building.work;
    url = isFirst ? building.url : building.url.resolve(team + "/");
    workspace = new Workspace(changes, new Stamps(clock), team, name);
    shelf = new FileShelf(changes, workspace.ids);
    faults = new Faults(clock);
    scopes = new Scopes(workspace);
    var gate = new Gate(faults);
    log = new CallLog(changes);

    var http =
        building.vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false).setMaxPoolSize(200));
    var courier =
        new Courier(
            building.vertx,
            http,
            new Signature(settings.signingSecret()),
            settings.delays().cutOff());
    wire = new Wire(workspace, url);
    var places = new Places(workspace);
    agent = new AgentState(changes, clock, settings.delays());
    sockets = new Sockets(changes, url, settings.delays().cutOff());
    deliveries =
        new Deliveries(changes, work, courier, sockets, settings.delays(), settings.events());
    outlook = new Views(changes, team);
    events = new Events(workspace, wire, deliveries, outlook);
    conversations = new ConversationMethods(workspace, places, wire, agent);
    var responseUrls = new ResponseUrls(workspace, wire, events, url, clock);
    hands = new Hands(workspace, shelf, wire, events, deliveries, responseUrls, url);
    reader = new Reader(workspace, agent, new Rendering(workspace));
    var files =
        new FileMethods(
            workspace,
            shelf,
            places,
            wire,
            events,
            agent,
            url,
            work,
            settings.delays().fileAppears());
    views = new ViewMethods(workspace);
    manifests = new ManifestMethods(settings.signingSecret(), deliveries::deliverTo);
    var api =
        new WebApi(
            team,
            building.grants,
            gate,
            log,
            scopes,
            List.of(
                new ChatMethods(workspace, places, wire, events, agent).methods(),
                new StreamMethods(
                        workspace, places, wire, events, agent, settings.delays().streamLife())
                    .methods(),
                conversations.methods(),
                new PeopleMethods(workspace, wire, url).methods(),
                new ReactionMethods(workspace, places, wire, events).methods(),
                new AgentMethods(places, agent).methods(),
                views.methods(),
                building.grants.methods(),
                manifests.methods(),
                sockets.methods(),
                files.methods()));
    var door =
        new Door(
            building.vertx,
            work,
            api,
            building.neighbours,
            new FileDoor(building.vertx, shelf, gate, team, building.grants),
            responseUrls,
            sockets,
            new LocalDoor(this));
    building.workspaces.add(this);
    if (isFirst) {
      building.grants.give(
          settings.botToken(), building.grants.grant(workspace, person("ada"), Optional.empty()));
      building.door.complete(door);
    } else {
      building.neighbours.add(team, door);
    }
  }

  // Nobody knows the address before everything behind the door stands. Without HTTP/2 a connection
  // carries one call at a time, so that cutting it loses one answer.
  private static HttpServer listen(Vertx vertx, int port, CompletableFuture<Door> door) {
    return soon(
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost("127.0.0.1")
                    .setPort(port)
                    .setMaxInitialLineLength(16384)
                    .setHttp2ClearTextEnabled(false))
            .requestHandler(request -> door.join().open(request))
            .listen());
  }

  private static <T> T soon(Future<T> future) {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(START_MAX.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  /// The base address, with a slash at its end; the Web API is under `api/`.
  public URI url() {
    return url;
  }

  /// Where events go.
  public URI events() {
    return deliveries.events();
  }

  /// From now on events go here.
  public void deliverTo(URI events) {
    deliveries.deliverTo(events);
  }

  /// One of several workspaces is closed with the first.
  @Override
  public void close() {
    if (workspace.team().equals(Workspace.FIRST)) {
      building.close();
    }
  }

  Wire wire() {
    return wire;
  }

  // Several workspaces, and how the app comes into them

  /// Another workspace of the same Slack, with the same people and channels under the same ids. The app is not in it before
  /// somebody has let it in.
  public LocalSlack beside(String team, String name) {
    return new LocalSlack(settings, building, team, name);
  }

  /// By which the app proves itself where it wants to be let in.
  public static Map<String, String> client() {
    return Map.of("id", Grants.CLIENT_ID, "secret", Grants.CLIENT_SECRET);
  }

  /// Ada agrees that the app comes into this workspace, at the address it sent her to; to where she is sent back.
  public URI agree(Map<String, String> asked) {
    return agreed(asked, Optional.empty());
  }

  /// She agrees for the whole organisation.
  public URI agreeForAll(Map<String, String> asked, String org) {
    return agreed(asked, Optional.of(org));
  }

  private URI agreed(Map<String, String> asked, Optional<String> org) {
    return building.grants.agreed(
        asked,
        events().resolve("/slack/oauth"),
        building.grants.grant(workspace, person("ada"), org));
  }

  /// From now on tokens last so long, and are given with one for the next.
  public void rotateTokens(Duration each) {
    building.grants.rotate(each);
  }

  /// Another of the app's tokens here, for whoever looks at what it has written as programs see it.
  public String anotherToken() {
    var token = "xoxb-local-" + UUID.randomUUID();
    building.grants.give(token, building.grants.grant(workspace, person("ada"), Optional.empty()));
    return token;
  }

  /// Somebody throws the app out.
  public void throwOut() {
    building.grants.revoke(workspace.team());
    events.raw(Grants.revoked(), DeliveryOptions.usual());
    events.raw(new JsonObject().put("type", "app_uninstalled"), DeliveryOptions.usual());
  }

  // Apps, as those see them who make some

  /// With which an operator makes apps and changes them.
  public static String configurationToken() {
    return ManifestMethods.TOKEN;
  }

  /// The manifest of every app that was made, by its id.
  public Map<String, JsonObject> manifests() {
    return manifests.apps();
  }

  /// The next message is written at this time, which may be that of one in another workspace.
  public void nextIsAt(String ts) {
    workspace.plan(ts);
  }

  // Who and where

  public String teamId() {
    return workspace.team();
  }

  public String appId() {
    return Workspace.APP;
  }

  /// The app's bot user.
  public Person app() {
    return Workspace.APP_USER;
  }

  public List<Person> people() {
    return workspace.people();
  }

  public List<Channel> channels() {
    return workspace.channels();
  }

  public Person person(String reference) {
    return hands.person(reference);
  }

  public Channel channel(String reference) {
    return hands.channel(reference);
  }

  public Person addPerson(String name, String realName) {
    return workspace.addPerson(name, realName);
  }

  /// Somebody who may see the channels only that the person is in.
  public Person addGuest(String name, String realName) {
    return workspace.addPerson(name, realName, true);
  }

  /// Somebody of another company, who meets us in this channel only (Slack Connect).
  public Person addOutsider(String name, String realName, String channel) {
    return workspace.addOutsider(name, realName, channel(channel), "T0OTHERCOMP");
  }

  /// From now on this person looks after the workspace.
  public void makeAdmin(String user) {
    workspace.makeAdmin(person(user));
  }

  /// This person's account is closed; what the person wrote stays, and may be delivered late.
  public void closeAccount(String user) {
    workspace.close(person(user));
  }

  /// This person leaves a channel.
  public void leaves(String channel, String user) {
    workspace.leave(channel(channel), person(user));
  }

  /// This person joins a channel.
  public void joins(String channel, String user) {
    workspace.join(channel(channel), person(user));
  }

  /// Another app's bot.
  public Person addBot(String name) {
    return workspace.addBot(name);
  }

  /// A channel with everybody in it, the app too.
  public Channel addChannel(String name, Channel.Kind kind) {
    return workspace.addChannel(name, kind);
  }

  /// Takes the app out of a channel: it hears nothing there any more and may not write.
  public void removeApp(String channel) {
    workspace.leave(channel(channel), Workspace.APP_USER);
  }

  // What people do

  /// Writes, and returns the message's `ts`.
  public String say(Utterance utterance) {
    return hands.say(utterance);
  }

  public String say(String channel, String user, String text) {
    return hands.say(Utterance.in(channel, user, text));
  }

  public String reply(String channel, String threadTs, String user, String text) {
    return hands.say(Utterance.in(channel, user, text).inThread(threadTs));
  }

  /// Writes to the app alone; the place is called `@` and the person's name.
  public String direct(String user, String text) {
    return hands.say(Utterance.direct(user, text));
  }

  public void edit(String channel, String ts, String text) {
    hands.edit(channel, ts, text, DeliveryOptions.usual());
  }

  public void edit(String channel, String ts, String text, DeliveryOptions options) {
    hands.edit(channel, ts, text, options);
  }

  public void delete(String channel, String ts) {
    hands.delete(channel, ts, DeliveryOptions.usual());
  }

  public void delete(String channel, String ts, DeliveryOptions options) {
    hands.delete(channel, ts, options);
  }

  public void react(String channel, String ts, String user, String emoji) {
    hands.react(channel, ts, user, emoji, true);
  }

  public void unreact(String channel, String ts, String user, String emoji) {
    hands.react(channel, ts, user, emoji, false);
  }

  /// Clicks a button of a message, and waits until the app has answered or failed to.
  public Delivery click(String channel, String ts, String user, String actionId)
      throws InterruptedException {
    return use(channel, ts, user, actionId, Map.of());
  }

  /// Uses a button or a menu of a message, with what stands in its menus and fields by action id, and waits likewise.
  public Delivery use(
      String channel, String ts, String user, String actionId, Map<String, String> given)
      throws InterruptedException {
    return hands.use(channel, ts, user, actionId, given);
  }

  /// Gives a slash command, and waits likewise.
  public Delivery command(String channel, String user, String command, String text)
      throws InterruptedException {
    return hands.command(channel, user, command, text);
  }

  /// Chooses a shortcut of a message's menu, and waits likewise.
  public Delivery shortcut(String channel, String ts, String user, String callbackId)
      throws InterruptedException {
    return hands.shortcut(channel, ts, user, callbackId);
  }

  /// Comes into the conversation with the app.
  public void openMessages(String user) {
    events.messagesOpened(person(user));
  }

  /// Has this channel open now, beside the app.
  public void lookAt(String user, String channel) {
    outlook.channel(person(user), channel(channel));
    events.looked(person(user));
  }

  /// Has this message open now, beside the app.
  public void lookAt(String user, String channel, String ts) {
    outlook.message(person(user), channel(channel), ts);
    events.looked(person(user));
  }

  /// Has a canvas open now, beside the app.
  public void lookAtCanvas(String user, String id) {
    outlook.canvas(person(user), id);
    events.looked(person(user));
  }

  /// Has nothing open beside the app any more.
  public void lookAway(String user) {
    outlook.nothing(person(user));
    events.looked(person(user));
  }

  /// What the app offers a person to say first, in the conversation with it.
  public List<Prompt> prompts(String user) {
    return agent.prompts(channel("@" + person(user).name()), "");
  }

  /// The same, as soon as there is one called so.
  public List<Prompt> awaitPrompts(String user, String title, Duration atMost)
      throws InterruptedException {
    return changes
        .await(
            () ->
                Optional.of(prompts(user))
                    .filter(all -> all.stream().anyMatch(one -> one.title().equals(title))),
            atMost)
        .orElseThrow(() -> new AssertionError("Not offered within " + atMost + ": " + title));
  }

  /// Opens the app's page.
  public void openHome(String user) {
    events.homeOpened(person(user));
  }

  /// Uses a button or a menu of the app's page, with what stands in its menus and fields by action id, and waits likewise.
  public Delivery useHome(String user, String actionId, Map<String, String> given)
      throws InterruptedException {
    var view =
        views
            .home(person(user))
            .orElseThrow(
                () -> new IllegalArgumentException("The app has no page for " + user + " yet"));
    return hands.useHome(view, user, actionId, given);
  }

  /// The page as it was published for somebody, as soon as it shows this.
  public JsonObject awaitHome(String user, String shows, Duration atMost)
      throws InterruptedException {
    return changes
        .await(() -> views.home(person(user)).filter(it -> it.encode().contains(shows)), atMost)
        .orElseThrow(
            () ->
                new AssertionError("Not shown within " + atMost + ": " + views.home(person(user))));
  }

  /// Presses the native Stop of a thread's agent session.
  public void pressStop(String channel, String threadTs, String user) {
    hands.pressStop(channel, threadTs, user);
  }

  // What people see

  /// The root of the thread in which a message is; the message itself, where it is none any more.
  public String rootOf(String channel, String ts) {
    return workspace.message(channel(channel), ts).map(Message::rootTs).orElse(ts);
  }

  public ThreadView thread(String channel, String rootTs) {
    return reader.thread(channel(channel), rootTs);
  }

  /// All threads of a channel; a message without replies is one too.
  public List<ThreadView> threads(String channel) {
    return reader.threads(channel(channel));
  }

  /// The thread, as soon as it is as expected; fails with what it shows instead when it is not in time.
  /// It is looked at while the workspace stands still, so what is expected must not be asked for over HTTP.
  public ThreadView awaitThread(
      String channel, String rootTs, Predicate<ThreadView> expected, Duration atMost)
      throws InterruptedException {
    return reader.await(channel(channel), rootTs, expected, atMost);
  }

  // Socket Mode

  /// With which the app opens connections; as long as there is one, nothing is brought to its address.
  public static String appToken() {
    return Sockets.APP_TOKEN;
  }

  public boolean isConnected() {
    return sockets.isAnyOpen();
  }

  /// Slack wants the app to open another connection in place of its oldest one.
  public void refreshConnection() {
    sockets.refresh();
  }

  /// All connections of the app's break.
  public void cutConnections() {
    sockets.cut();
  }

  /// How many connections there were after each that came or went, as soon as that is as expected.
  public List<Integer> awaitConnections(Predicate<List<Integer>> expected, Duration atMost)
      throws InterruptedException {
    return changes
        .await(() -> Optional.of(sockets.counts()).filter(expected), atMost)
        .orElseThrow(
            () ->
                new AssertionError("Not connected so within " + atMost + ": " + sockets.counts()));
  }

  // The page

  /// What a page finds that looks behind this Slack.
  public void standsBefore(Backstage newBackstage) {
    backstage = newBackstage;
  }

  Backstage backstage() {
    return backstage;
  }

  EventStream.Source feed() {
    return new Feed(workspace, agent, views);
  }

  FileView file(String id) {
    return shelf
        .find(id)
        .map(Reader::file)
        .orElseThrow(() -> new IllegalArgumentException("There is no file " + id));
  }

  /// Slack ends what the app is writing in a thread, as it does by itself after a time; how many messages those were.
  public int expireStreams(String channel, String rootTs) {
    return workspace.endStreams(channel(channel), rootTs, Stream.End.EXPIRED).size();
  }

  // Deliveries

  /// Every attempt to bring the app something, as far as it has ended.
  public List<Delivery> deliveries() {
    return deliveries.attempts();
  }

  /// The attempts so far, as soon as they are as expected.
  public List<Delivery> awaitDeliveries(Predicate<List<Delivery>> expected, Duration atMost)
      throws InterruptedException {
    return changes
        .await(() -> Optional.of(deliveries()).filter(expected), atMost)
        .orElseThrow(
            () -> new AssertionError("Not delivered so within " + atMost + ": " + deliveries()));
  }

  /// Waits until nothing is on its way, waits for another attempt, or is held.
  public void awaitQuiet(Duration atMost) throws InterruptedException {
    if (changes.await(() -> Optional.of(true).filter(_ -> deliveries.quiet()), atMost).isEmpty()) {
      throw new AssertionError("Deliveries are still under way after " + atMost);
    }
  }

  /// Whether nothing about this conversation is on its way, waits for another attempt, or is held.
  public boolean isQuiet(String channel) {
    return deliveries.quiet(channel(channel).id());
  }

  /// The same, of one conversation: another one's may wait minutes for the next attempt.
  public void awaitQuiet(String channel, Duration atMost) throws InterruptedException {
    var id = channel(channel).id();
    if (changes
        .await(() -> Optional.of(true).filter(_ -> deliveries.quiet(id)), atMost)
        .isEmpty()) {
      throw new AssertionError(
          "Deliveries about " + channel + " are still under way after " + atMost);
    }
  }

  /// Lets go held deliveries of the messages with these timestamps, in this order; all, when none is named.
  public void release(String... timestamps) {
    deliveries.release(List.of(timestamps));
  }

  /// Delivers an event again that was delivered before.
  public void deliverAgain(String eventId) {
    deliveries.again(eventId);
  }

  /// Delivers any event the workspace itself does not produce.
  public void deliver(JsonObject event, DeliveryOptions options) {
    events.raw(event, options);
  }

  /// Asks the app's address to prove itself, as Slack does when it is entered.
  public Delivery verifyUrl(String challenge) throws InterruptedException {
    return deliveries.verify(challenge);
  }

  // What the app did, and what goes wrong for it

  /// Every call of the Web API that was answered, or whose answer was lost.
  public List<ApiCall> calls() {
    return log.calls();
  }

  public List<ApiCall> calls(String method) {
    return calls().stream().filter(call -> call.method().equals(method)).toList();
  }

  public List<ApiCall> awaitCalls(Predicate<List<ApiCall>> expected, Duration atMost)
      throws InterruptedException {
    return changes
        .await(() -> Optional.of(calls()).filter(expected), atMost)
        .orElseThrow(() -> new AssertionError("Not called so within " + atMost + ": " + calls()));
  }

  /// Of deliveries, calls and signs of work only the last so many are remembered from now on: for whoever lets it run for hours and asks for
  /// none of them.
  public void remember(int most) {
    deliveries.remember(most);
    log.remember(most);
    agent.remember(most);
  }

  /// What the app wrote that pings, previews or loads something from elsewhere.
  public List<Violation> violations() {
    return log.violations();
  }

  /// Whether what would do people harm is refused; it is a violation anyway.
  public void refuseUnsafe(boolean refuses) {
    log.refuseUnsafe(refuses);
  }

  /// From now on this person may be named at the beginning of a message without that being a violation.
  public void allowNaming(String user) {
    log.allowNaming(person(user).id());
  }

  /// Whether mentions by the app are in order.
  public void allowMentions(boolean allowed) {
    log.allowMentions(allowed);
  }

  /// Makes the next calls of a method go wrong; `upload` and `download` stand for the bytes of files.
  public void fail(String method, int times, Fault fault) {
    faults.next(method, times, fault);
  }

  /// From now on every call of a method goes wrong like that, until Slack is healed.
  public void fail(String method, Fault fault) {
    faults.always(method, fault);
  }

  /// From now on a method takes so many calls in such a time, `chat.postMessage` for each channel; the rest get 429.
  public void limit(String method, int calls, Duration per) {
    faults.limit(method, calls, per);
  }

  /// For so long every call gets 429, and is told how long.
  public void busy(Duration time) {
    faults.busy(time);
  }

  /// Until when every call gets 429, if it does.
  public Optional<Instant> busyUntil() {
    return faults.busyUntil();
  }

  /// From now on each method takes as many calls as Slack's tiers allow; the rest get 429.
  public void keepTiers() {
    keepTiers(1);
  }

  /// The same, and of each so many times less.
  public void keepTiers(int share) {
    Tiers.keep(faults, share);
  }

  /// From now on the app may not do any more what needs this scope.
  public void takeScope(String scope) {
    scopes.take(scope);
  }

  /// Nothing goes wrong any more, nothing is limited, nothing forbidden.
  public void heal() {
    faults.clear();
    scopes.giveBack();
  }

  /// How many messages the app may read back at once: 200, or 15 for an app that is distributed.
  public void pageMax(int messages) {
    conversations.pageMax(messages);
  }
}
