package dev.gorkie.local.slack;

import dev.gorkie.local.slack.Channel.Kind;
import dev.gorkie.local.slack.StoredFile.Share;
import io.vertx.core.json.JsonArray;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The people, the channels and what was written in them. It changes under one lock and tells nobody.
final class Workspace {
  static final String FIRST = "T0LOCALTEAM";
  static final String APP = "A0GORKIEAPP";
  static final String BOT_ID = "B0GORKIEBOT";
  static final Person APP_USER = new Person("U0GORKIEBOT", "gorkie", "Gorkie", true, false);

  final Changes changes;
  final Ids ids = new Ids();
  private final String team;
  private final String name;
  private final Stamps stamps;
  private final Map<String, Person> people = new LinkedHashMap<>();
  private final Map<String, String> homes = new HashMap<>();
  private final Set<String> admins = new HashSet<>();
  private final Set<String> gone = new HashSet<>();
  private final Map<String, Channel> channels = new LinkedHashMap<>();
  private final Map<String, TreeMap<String, Message>> messages = new LinkedHashMap<>();

  Workspace(Changes changes, Stamps stamps, String team, String name) {
    this.team = team;
    this.name = name;
    this.changes = changes;
    this.stamps = stamps;
    people.put(APP_USER.id(), APP_USER);
    addPerson("ada", "Ada Lovelace");
    addPerson("grace", "Grace Hopper");
    addPerson("alan", "Alan Turing");
    addChannel("general", Kind.PUBLIC);
    addChannel("random", Kind.PUBLIC);
    addChannel("secret-plans", Kind.PRIVATE);
  }

  String team() {
    return team;
  }

  String name() {
    return name;
  }

  Person addPerson(String name, String realName) {
    return addPerson(name, realName, false);
  }

  Person addPerson(String name, String realName, boolean guest) {
    return changes.change(() -> add(new Person(ids.next("U", name), name, realName, false, guest)));
  }

  private Person add(Person person) {
    people.put(person.id(), person);
    // Whoever joins the workspace is in its public channels, like everybody else.
    channels.replaceAll(
        (_, channel) -> channel.kind() == Kind.PUBLIC ? joinedBy(channel, person) : channel);
    return person;
  }

  /// Somebody of another company, in one channel that is shared with it.
  Person addOutsider(String name, String realName, Channel channel, String home) {
    return changes.change(
        () -> {
          var person = new Person(ids.next("U", name), name, realName, false, false);
          people.put(person.id(), person);
          homes.put(person.id(), home);
          channels.put(channel.id(), joinedBy(channel(channel.id()).orElseThrow(), person));
          return person;
        });
  }

  /// Of which company's workspace somebody is.
  String home(Person person) {
    return changes.read(() -> homes.getOrDefault(person.id(), team));
  }

  /// Whether people of other companies are in it.
  boolean isShared(Channel channel) {
    return changes.read(
        () ->
            channel(channel.id()).orElse(channel).members().stream().anyMatch(homes::containsKey));
  }

  void makeAdmin(Person person) {
    changes.change(() -> admins.add(person.id()));
  }

  void close(Person person) {
    changes.change(() -> gone.add(person.id()));
  }

  boolean isGone(Person person) {
    return changes.read(() -> gone.contains(person.id()));
  }

  boolean isAdmin(Person person) {
    return changes.read(() -> admins.contains(person.id()));
  }

  /// Another app's bot, which is in the public channels too.
  Person addBot(String name) {
    return changes.change(() -> add(new Person(ids.next("U", name), name, name, true, false)));
  }

  /// A channel with everybody in it, the app too.
  Channel addChannel(String name, Kind kind) {
    return changes.change(() -> add(new Channel(ids.next("C", name), name, kind, people.keySet())));
  }

  private Channel add(Channel channel) {
    channels.put(channel.id(), channel);
    messages.put(channel.id(), new TreeMap<>());
    return channel;
  }

  private static Channel joinedBy(Channel channel, Person person) {
    var members = new LinkedHashSet<>(channel.members());
    members.add(person.id());
    return new Channel(channel.id(), channel.name(), channel.kind(), members);
  }

  void leave(Channel channel, Person person) {
    changeMembers(channel, members -> members.remove(person.id()));
  }

  void join(Channel channel, Person person) {
    changeMembers(channel, members -> members.add(person.id()));
  }

  private void changeMembers(Channel channel, Consumer<Set<String>> change) {
    changes.change(
        () -> {
          var members = new LinkedHashSet<>(channel(channel.id()).orElseThrow().members());
          change.accept(members);
          channels.put(
              channel.id(), new Channel(channel.id(), channel.name(), channel.kind(), members));
        });
  }

  List<Person> people() {
    return changes.read(() -> List.copyOf(people.values()));
  }

  List<Channel> channels() {
    return changes.read(() -> List.copyOf(channels.values()));
  }

  /// Somebody by id or by name, with or without the at sign.
  Optional<Person> person(String reference) {
    var name = reference.startsWith("@") ? reference.substring(1) : reference;
    return changes.read(
        () ->
            people.values().stream()
                .filter(one -> one.id().equals(name) || one.name().equals(name))
                .findFirst());
  }

  /// A place by id or by name; `@ada`, or her id, is where she and the app write to each other.
  Optional<Channel> channel(String reference) {
    var name = reference.startsWith("#") ? reference.substring(1) : reference;
    var known =
        changes.read(
            () ->
                channels.values().stream()
                    .filter(
                        one -> one.id().equals(name) || !one.direct() && one.name().equals(name))
                    .findFirst());
    if (known.isPresent() || !(reference.startsWith("@") || reference.startsWith("U"))) {
      return known;
    }
    return person(reference).filter(one -> !one.bot()).map(this::direct);
  }

  Channel direct(Person person) {
    return changes.change(
        () ->
            channels.values().stream()
                .filter(one -> one.direct() && one.members().contains(person.id()))
                .findFirst()
                .orElseGet(
                    () ->
                        add(
                            new Channel(
                                ids.next("D", person.name()),
                                person.name(),
                                Kind.DIRECT,
                                Set.of(person.id(), APP_USER.id())))));
  }

  Message post(Channel channel, Optional<String> threadTs, Person author, Message.Draft draft) {
    return changes.change(
        () -> {
          var root = threadTs.flatMap(ts -> message(channel, ts)).map(Message::rootTs);
          var message =
              new Message(channel, stamps.ofMessage(), root, author, Optional.empty(), draft);
          place(channel).put(message.ts, message);
          draft
              .files()
              .forEach(file -> file.shares.add(new Share(channel, message.ts, message.threadTs)));
          return message;
        });
  }

  Message postOnlyFor(
      Channel channel,
      Optional<String> threadTs,
      Person reader,
      Person author,
      Message.Draft draft) {
    return changes.change(
        () -> {
          var message =
              new Message(
                  channel, stamps.ofMessage(), threadTs, author, Optional.of(reader), draft);
          place(channel).put(message.ts, message);
          return message;
        });
  }

  /// Removes a message; one that has replies leaves a tombstone in its place.
  void remove(Message message) {
    changes.change(
        () -> {
          if (message.isReply() || replies(message).isEmpty()) {
            place(message.channel).remove(message.ts);
          } else {
            message.tombstone = true;
            message.text = "This message was deleted.";
            message.blocks = new JsonArray();
            message.metadata = Optional.empty();
            message.files.clear();
          }
        });
  }

  Instant now() {
    return stamps.now();
  }

  /// Whether a message is still being written.
  boolean isStreaming(Message message) {
    return changes.read(() -> message.stream.filter(one -> one.isOpen(now())).isPresent());
  }

  /// Slack ends what is being written in a thread.
  ///
  /// @return the messages that were
  List<String> endStreams(Channel channel, String rootTs, Stream.End how) {
    return changes.change(
        () -> {
          var open =
              place(channel).values().stream()
                  .filter(message -> message.rootTs().equals(rootTs) && isStreaming(message))
                  .toList();
          open.forEach(message -> message.stream.orElseThrow().end(how));
          return open.stream().map(message -> message.ts).toList();
        });
  }

  /// The next message is written at this time.
  void plan(String ts) {
    stamps.plan(ts);
  }

  String nextTs() {
    return stamps.next();
  }

  Optional<Message> message(Channel channel, String ts) {
    return changes.read(() -> Optional.ofNullable(place(channel).get(ts)));
  }

  /// All of a channel, the oldest first.
  List<Message> messages(Channel channel) {
    return changes.read(() -> new ArrayList<>(place(channel).values()));
  }

  List<Message> replies(Message root) {
    return changes.read(
        () ->
            place(root.channel).values().stream()
                .filter(
                    one ->
                        one.threadTs.filter(root.ts::equals).isPresent() && one.onlyFor.isEmpty())
                .toList());
  }

  private TreeMap<String, Message> place(Channel channel) {
    return messages.computeIfAbsent(channel.id(), _ -> new TreeMap<>());
  }
}
