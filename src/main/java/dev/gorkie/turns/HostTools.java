package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.files.Carried;
import dev.gorkie.files.Files;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.inbox.Message;
import dev.gorkie.jobs.Jobs;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.policy.Policy;
import dev.gorkie.previews.Previews;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.People;
import dev.gorkie.tasks.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/// Does for Pi what only we can do: in Slack, with jobs, and at a time. Whatever asks may be code that a model wrote: it reaches this conversation, public
/// channels that we are in, and nothing else, and all it gets has a bound.
final class HostTools {

  private static final Logger LOG = Logger.getLogger(HostTools.class);

  private static final int CALLS_MAX = 100;
  // Less than the minute for which the other side waits, and the six minutes for a file.
  private static final Duration TOOL_MOST = Duration.ofSeconds(50);
  private static final Duration FILE_MOST = Duration.ofSeconds(350);
  private static final String TOO_SLOW =
      "Slack did not answer in time. Go on without it, or try once more later.";
  private static final int THREAD_MESSAGES = 50;
  private static final int THREAD_MESSAGES_MAX = 200;
  private static final int CHANNEL_MESSAGES = 30;
  private static final int CHANNEL_MESSAGES_MAX = 100;
  private static final Pattern CHANNEL = Pattern.compile("[CG][A-Z0-9]{2,30}");
  private static final Pattern USER = Pattern.compile("[UW][A-Z0-9]{2,30}");
  private static final Pattern FILE = Pattern.compile("F[A-Z0-9]{2,30}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,7}");
  private static final Pattern EMOJI = Pattern.compile("[a-z0-9_'+-]{1,60}");

  private final Rooms rooms;
  private final Claim claim;
  private final Agent agent;
  private final Sandbox sandbox;
  private final String team;
  private final MessageEvent asking;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final Set<String> steered = ConcurrentHashMap.newKeySet();
  private final Map<String, PiEvent.ToolAsked> open = new LinkedHashMap<>();
  private final Map<String, Doing> underWay = new HashMap<>();
  private final Queue<Done> done = new ConcurrentLinkedQueue<>();
  private int calls;

  /// What it takes to do them.
  record Rooms(
      Policy policy,
      Conversations conversations,
      People people,
      Files files,
      Inbox inbox,
      Jobs jobs,
      Tasks tasks,
      Previews previews) {}

  /// @param begin what the keeper is to begin before Pi hears the result
  private record Done(String id, String text, boolean failed, Optional<Jobs.Answer.Begin> begin) {

    Done(String id, String text, boolean failed) {
      this(id, text, failed, Optional.empty());
    }
  }

  private record Doing(Thread by, Deadline deadline) {}

  /// Why it is not done, for Pi to read.
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final String why;

    Refused(String why) {
      super(why);
      this.why = why;
    }
  }

  HostTools(Rooms rooms, Claim claim, Agent agent, Sandbox sandbox) {
    this.rooms = rooms;
    this.claim = claim;
    this.agent = agent;
    this.sandbox = sandbox;
    this.team = claim.thread().team();
    this.asking =
        claim.messages().stream()
            .filter(message -> !message.isStop())
            .map(Message::event)
            .reduce((_, later) -> later)
            .orElseGet(() -> claim.messages().getFirst().event());
    claim.messages().forEach(message -> seen.add(message.event().ts()));
    seen.add(asking.rootTs());
  }

  /// From now on this one has asked for what Pi does, too.
  void heard(MessageEvent message) {
    steered.add(message.user());
    seen.add(message.ts());
  }

  void asks(PiEvent.ToolAsked ask) {
    // Whoever asks more often than twice what is answered wants no answer.
    if (calls + open.size() < 2 * CALLS_MAX) {
      open.putIfAbsent(ask.id(), ask);
    }
  }

  /// To be called now and then: does what was asked and is not done, hands on what is. Of what an earlier worker has
  /// answered the journal tells, so that is waited for.
  void look() throws InterruptedException {
    for (var ready = done.poll(); ready != null; ready = done.poll()) {
      // What came too late was answered already.
      if (underWay.containsKey(ready.id())) {
        answer(ready);
      }
    }
    giveUpWhatIsLate();
    if (open.isEmpty() || !agent.isCaughtUp()) {
      return;
    }
    var asks = List.copyOf(open.values());
    open.clear();
    for (var ask : asks) {
      if (agent.has(Commands.answer(ask.id()))) {
        continue;
      }
      if (++calls > CALLS_MAX) {
        answer(new Done(ask.id(), "That is enough of these for one turn.", true));
      } else {
        start(ask);
      }
    }
  }

  /// Slack may be slow, and a stop is not to wait for it. Whoever asks is told in time, whatever becomes of it.
  private void start(PiEvent.ToolAsked ask) {
    var most = ask.name().equals("getFile") ? FILE_MOST : TOOL_MOST;
    var doing =
        Thread.ofVirtual()
            .name(ask.name() + " for " + claim.thread())
            .start(() -> done.add(carriedOut(ask)));
    underWay.put(ask.id(), new Doing(doing, Deadline.in(most)));
  }

  private void giveUpWhatIsLate() throws InterruptedException {
    for (var late : Map.copyOf(underWay).entrySet()) {
      if (late.getValue().deadline().isOver()) {
        late.getValue().by().interrupt();
        answer(new Done(late.getKey(), TOO_SLOW, true));
      }
    }
  }

  private void answer(Done ready) throws InterruptedException {
    underWay.remove(ready.id());
    if (ready.begin().isPresent()) {
      var job = ready.begin().get();
      agent.beginJob(Commands.job(job.id()), job.id(), job.command(), job.limit(), job.end());
    }
    agent.answer(Commands.answer(ready.id()), ready.id(), ready.text(), ready.failed());
  }

  private Done carriedOut(PiEvent.ToolAsked ask) {
    try {
      return ask.name().equals("startJob") ? startJob(ask) : new Done(ask.id(), result(ask), false);
    } catch (Refused refused) {
      return new Done(ask.id(), refused.why, true);
    } catch (Failure failure) {
      LOG.infof("Turn %d: %s came to %s", claim.turn(), ask.name(), failure.getMessage());
      return new Done(ask.id(), "Slack did not do that: " + failure.code().sentence(), true);
    } catch (RuntimeException bug) {
      LOG.errorf(bug, "Turn %d: %s broke", claim.turn(), ask.name());
      return new Done(ask.id(), "Something on the host broke while it did that.", true);
    }
  }

  private String result(PiEvent.ToolAsked ask) throws Refused {
    var args = ask.args();
    return switch (ask.name()) {
      case "readThread" -> readThread(number(args, THREAD_MESSAGES, THREAD_MESSAGES_MAX));
      case "readChannel" ->
          readChannel(word(args, "channel"), number(args, CHANNEL_MESSAGES, CHANNEL_MESSAGES_MAX));
      case "whoIs" -> whoIs(word(args, "user"));
      case "react" -> react(word(args, "emoji"), args.getOrDefault("ts", asking.ts()));
      case "getFile" -> getFile(word(args, "file"));
      case "setTitle" -> setTitle(word(args, "title"));
      case "leaveThread" -> leave();
      case "jobStatus" -> jobStatus(word(args, "id"));
      case "jobTold" -> jobTold(word(args, "id"));
      case "schedule" -> schedule(ask);
      case "listTasks" -> rooms.tasks().list(claim.thread());
      case "cancelTask" -> cancelTask(word(args, "id"));
      case "showPort" -> showPort(ask);
      default -> throw new Refused("The host knows no tool of this name.");
    };
  }

  private String readThread(int most) {
    var lines =
        asking.direct() && asking.threadTs().isEmpty()
            ? rooms.conversations().channel(team, asking.channel(), most)
            : rooms
                .conversations()
                .thread(
                    team,
                    asking.channel(),
                    asking.rootTs(),
                    Optional.empty(),
                    Optional.empty(),
                    most);
    return told(lines);
  }

  private String readChannel(String channel, int most) throws Refused {
    var name = channel.startsWith("#") ? channel.substring(1) : channel;
    var place =
        CHANNEL.matcher(name).matches()
            ? rooms.conversations().place(team, name)
            : Optional.<Conversations.Place>empty();
    if (place.isEmpty()) {
      place = rooms.conversations().publicPlace(team, name);
    }
    if (place.isEmpty() || !place.get().open()) {
      throw new Refused("There is no public channel " + channel + " that I am in.");
    }
    if (!place.get().member()) {
      throw new Refused(
          "I am not in #" + place.get().name() + "; somebody has to invite me first.");
    }
    if (!place.get().id().equals(asking.channel())) {
      mustBeAmongOurselves();
    }
    return told(rooms.conversations().channel(team, place.get().id(), most));
  }

  /// What everybody of a workspace may read is not for guests and other companies.
  private void mustBeAmongOurselves() throws Refused {
    if (!asking.direct()
        && rooms
            .conversations()
            .place(team, asking.channel())
            .filter(place -> !place.shared())
            .isEmpty()) {
      throw new Refused("People of other companies read along here, so I read no other channel.");
    }
    for (var author : authors()) {
      if (!rooms.policy().mayRead(team, author, asking.channel())) {
        throw new Refused("A guest has asked for this, and guests may not read other channels.");
      }
    }
  }

  private Set<String> authors() {
    var authors = new HashSet<>(steered);
    claim.messages().forEach(message -> authors.add(message.event().user()));
    return authors;
  }

  private String told(List<Conversations.Written> lines) {
    lines.forEach(line -> seen.add(line.ts()));
    return Transcript.of(lines, user -> rooms.people().displayName(team, user));
  }

  private String whoIs(String user) throws Refused {
    if (!USER.matcher(user).matches()) {
      throw new Refused("A person's id looks like U012AB3CD.");
    }
    var found = rooms.people().profile(team, user);
    if (found.isEmpty()) {
      throw new Refused("Nobody here has the id " + user + ".");
    }
    var profile = found.get();
    var about = new ArrayList<String>();
    about.add(profile.name());
    Optional.of(profile.title()).filter(title -> !title.isEmpty()).ifPresent(about::add);
    Optional.of(profile.timeZone())
        .filter(zone -> !zone.isEmpty())
        .ifPresent(zone -> about.add("time zone " + zone));
    if (profile.bot()) {
      about.add("a program");
    }
    if (profile.guest()) {
      about.add("a guest");
    }
    return String.join(", ", about);
  }

  private String react(String emoji, String ts) throws Refused {
    var name = emoji.replace(":", "");
    if (!EMOJI.matcher(name).matches()) {
      throw new Refused("An emoji's name is like eyes or white_check_mark.");
    }
    if (!seen.contains(ts)) {
      throw new Refused("I know no message " + ts + " in this conversation; read it first.");
    }
    rooms.conversations().react(team, asking.channel(), ts, name);
    return "Done.";
  }

  private String getFile(String id) throws Refused {
    if (!FILE.matcher(id).matches()) {
      throw new Refused("A file's id looks like F012AB3CD.");
    }
    var shown = rooms.conversations().file(team, id);
    if (shown.isEmpty()) {
      throw new Refused("There is no file " + id + " any more.");
    }
    if (!shown.get().channels().contains(asking.channel())) {
      mustBeInPublic(shown.get().channels());
      mustBeAmongOurselves();
    }
    return switch (rooms.files().bringIn(team, shown.get().file(), id, sandbox)) {
      case Carried.In(_, var path, var mimetype) -> "It is at %s (%s).".formatted(path, mimetype);
      case Carried.Refused(_, var reason) -> throw new Refused(reason);
      case Carried.Out _ -> throw new IllegalStateException("Nothing is carried out here");
    };
  }

  private void mustBeInPublic(List<String> channels) throws Refused {
    for (var channel : channels) {
      var place =
          CHANNEL.matcher(channel).matches()
              ? rooms.conversations().place(team, channel)
              : Optional.<Conversations.Place>empty();
      if (place.filter(it -> it.open() && it.member()).isPresent()) {
        return;
      }
    }
    throw new Refused("That file was shown neither here nor in a public channel that I am in.");
  }

  private String setTitle(String title) throws Refused {
    if (!rooms.conversations().title(team, asking.channel(), asking.rootTs(), title)) {
      throw new Refused("There is nothing in this title that a person could see.");
    }
    return "Done.";
  }

  private String leave() throws Refused {
    if (asking.direct()) {
      throw new Refused("This is a direct conversation; there is nothing to leave.");
    }
    rooms.inbox().leaveNow(claim.thread(), claim.fence());
    return "From now on only a mention reaches you here.";
  }

  private Done startJob(PiEvent.ToolAsked ask) throws Refused {
    var seconds = ask.args().getOrDefault("seconds", "");
    if (!SECONDS.matcher(seconds).matches()) {
      throw new Refused("The limit of a job is a number of seconds.");
    }
    var wish =
        new Jobs.Wish(
            claim.thread(),
            claim.fence(),
            ask.id(),
            sandbox.id(),
            asking,
            word(ask.args(), "command"),
            Duration.ofSeconds(Long.parseLong(seconds)));
    return switch (rooms.jobs().begin(wish)) {
      case Jobs.Answer.Begin begin -> new Done(ask.id(), begin.id(), false, Optional.of(begin));
      case Jobs.Answer.No(var why) -> throw new Refused(why);
    };
  }

  private String jobStatus(String id) throws Refused {
    return rooms
        .jobs()
        .status(claim.thread(), id)
        .orElseThrow(() -> new Refused("There is no job of this id in this conversation."));
  }

  private String schedule(PiEvent.ToolAsked ask) throws Refused {
    var args = ask.args();
    var answer =
        rooms
            .tasks()
            .plan(
                new Tasks.Wish(
                    claim.thread(),
                    claim.fence(),
                    ask.id(),
                    asking,
                    word(args, "what"),
                    args.getOrDefault("plain", "").equals("true"),
                    Optional.ofNullable(args.get("at")),
                    Optional.ofNullable(args.get("cron")),
                    Optional.ofNullable(args.get("zone"))));
    if (!answer.planned()) {
      throw new Refused(answer.sentence());
    }
    return answer.sentence();
  }

  private String cancelTask(String id) throws Refused {
    if (!rooms.tasks().cancel(claim.thread(), id)) {
      throw new Refused("Nothing of this id is planned in this conversation.");
    }
    return "It is cancelled.";
  }

  private String showPort(PiEvent.ToolAsked ask) throws Refused {
    var port =
        Previews.port(word(ask.args(), "port"))
            .orElseThrow(() -> new Refused("A port is a number from 1024 to 65535."));
    if (!rooms.previews().isListening(sandbox, port)) {
      throw new Refused("Nothing listens on port " + port + ". Start it first, as a job.");
    }
    try {
      rooms.previews().show(asking, claim.turn() + "-" + ask.id(), port, word(ask.args(), "title"));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Refused(TOO_SLOW);
    }
    return "People see a button for it now.";
  }

  private String jobTold(String id) {
    rooms.jobs().told(claim.thread(), id);
    return "Done.";
  }

  private static int number(Map<String, String> args, int usual, int most) {
    var given = args.getOrDefault("limit", "");
    var number = given.matches("[0-9]{1,6}") ? Integer.parseInt(given) : usual;
    return Math.clamp(number, 1, most);
  }

  private static String word(Map<String, String> args, String name) throws Refused {
    var word = args.getOrDefault(name, "").strip();
    if (word.isEmpty()) {
      throw new Refused("“" + name + "” is missing.");
    }
    return word;
  }
}
