package dev.gorkie.settings;

import dev.gorkie.aws.KeyService;
import io.quarkus.runtime.configuration.DurationConverter;
import java.net.URI;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An environment variable that some role cannot do without, and what is expected of it.
record Setting(
    String name,
    Set<Role> roles,
    String expected,
    Predicate<String> fits,
    Optional<String> unlessThereIs,
    Optional<String> onlyWith) {

  Setting(String name, Set<Role> roles, String expected, Predicate<String> fits) {
    this(name, roles, expected, fits, Optional.empty(), Optional.empty());
  }

  Setting(
      String name,
      Set<Role> roles,
      String expected,
      Predicate<String> fits,
      Optional<String> unlessThereIs) {
    this(name, roles, expected, fits, unlessThereIs, Optional.empty());
  }

  /// For a connection of our own to Slack; then nobody knocks at the door.
  static final String APP_TOKEN = "SLACK_APP_TOKEN";

  /// By which workspaces let the app in; without it there is one workspace, whose token is set.
  static final String CLIENT = "SLACK_CLIENT_ID";

  /// Where sandboxes say that a job is over; what they say it with is made from the signing secret.
  static final String URL = "GORKIE_URL";

  private static final Set<Role> DOORS = EnumSet.of(Role.SERVER, Role.INGRESS);
  private static final Set<Role> WORK = EnumSet.of(Role.SERVER, Role.WORKER);
  private static final Set<Role> MACHINES =
      EnumSet.of(Role.SERVER, Role.WORKER, Role.API, Role.DOCTOR);
  private static final Set<Role> MODELS = EnumSet.of(Role.SERVER, Role.WORKER, Role.DOCTOR);
  private static final Set<Role> TABLES =
      EnumSet.of(Role.SERVER, Role.WORKER, Role.API, Role.TRACE);
  private static final Set<Role> FUNCTIONS = EnumSet.of(Role.INGRESS, Role.WORKER, Role.API);

  private static final int KEY_BYTES = 32;
  private static final String TEAM = "[TE][A-Z0-9]{2,30}";
  private static final String WEBHOOK = "GORKIE_WEBHOOK_URL";
  // Less can be tried out.
  private static final int WEBHOOK_SECRET_MIN = 16;
  private static final String PERSON = "[UW][A-Z0-9]{2,30}";
  private static final String PLACE = "[CG][A-Z0-9]{2,30}|direct";
  // A value for PATH would be the end of the sandbox, and one for our own names of what we say
  // there.
  private static final String SANDBOX_SECRET =
      "(?!(GORKIE|DAYTONA|LD|NODE|PI)(_|=)|(PATH|HOME|USER|SHELL|LANG|TERM|BASH_ENV|ENV)=)[A-Z][A-Z0-9_]{1,63}=[A-Za-z0-9_-]{1,64}";
  private static final Pattern NAME = Pattern.compile("(\\*\\.)?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+");
  private static final Pattern BLOCK =
      Pattern.compile(
          "((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!/|$)|(?=/|$))){4}(/(3[0-2]|[12]?\\d))?");

  private static final String DURATION = "[0-9]{1,6}(ms|s|m)";

  static final List<Setting> ALL =
      List.of(
          new Setting(
              "SLACK_SIGNING_SECRET",
              DOORS,
              "the signing secret from the Slack app's page “Basic Information”",
              Setting::isWord,
              Optional.of(APP_TOKEN)),
          new Setting(
              APP_TOKEN,
              Set.of(),
              "an app-level token with connections:write from the Slack app's page “Basic"
                  + " Information”; it begins with xapp-",
              value -> isWord(value) && value.startsWith("xapp-")),
          new Setting(
              "SLACK_SIGNING_SECRET",
              EnumSet.of(Role.WORKER),
              "the signing secret from the Slack app's page “Basic Information”, since GORKIE_URL"
                  + " is set",
              _ -> true,
              Optional.empty(),
              Optional.of(URL)),
          new Setting(
              URL,
              Set.of(),
              "the base URL under which Slack reaches Gorkie, such as https://gorkie.example.com",
              Setting::isUrl),
          new Setting(
              "SLACK_BOT_TOKEN",
              WORK,
              "the bot token from the Slack app's page “OAuth & Permissions”; it begins with xoxb-",
              value -> isWord(value) && value.startsWith("xoxb-"),
              Optional.of(CLIENT)),
          new Setting(
              CLIENT,
              Set.of(),
              "the client id from the Slack app's page “Basic Information”, two numbers with a"
                  + " point between them",
              value -> value.matches("[0-9]+[.][0-9]+")),
          new Setting(
              "SLACK_CLIENT_SECRET",
              WORK,
              "the client secret from the Slack app's page “Basic Information”",
              Setting::isWord,
              Optional.empty(),
              Optional.of(CLIENT)),
          new Setting(
              "GORKIE_TOKEN_KEY",
              WORK,
              "32 random bytes as Base64, which “openssl rand -base64 32” prints, or such a key as"
                  + " AWS's key service has sealed it, behind kms:; older ones behind it, with"
                  + " commas between them",
              Setting::areKeys,
              Optional.empty(),
              Optional.of(CLIENT)),
          new Setting(
              "SLACK_API_URL",
              Set.of(),
              "the base URL of Slack's Web API, such as https://slack.com/api/",
              Setting::isUrl),
          new Setting(
              WEBHOOK,
              Set.of(),
              "where a program of yours wants to be told that a turn has ended, such as"
                  + " https://example.com/gorkie",
              Setting::isUrl),
          new Setting(
              "GORKIE_WEBHOOK_SECRET",
              WORK,
              "at least 16 characters, by which that program knows that it is told by Gorkie, since"
                  + " GORKIE_WEBHOOK_URL is set",
              value -> isWord(value) && value.length() >= WEBHOOK_SECRET_MIN,
              Optional.empty(),
              Optional.of(WEBHOOK)),
          new Setting(
              "DAYTONA_API_KEY",
              MACHINES,
              "an API key of the Daytona organization",
              Setting::isWord),
          new Setting(
              "DAYTONA_API_URL",
              Set.of(),
              "the base URL of Daytona's API, such as https://app.daytona.io/api",
              Setting::isUrl),
          new Setting(
              "DAYTONA_SNAPSHOT",
              MACHINES,
              "the name of the snapshot that “make snapshot” built; it begins with gorkie-",
              Setting::isWord),
          new Setting(
              "DAYTONA_NETWORK",
              Set.of(),
              "what sandboxes may reach: open, none, or names and IPv4 blocks with commas between"
                  + " them, such as openrouter.ai,*.github.com,10.1.0.0/16",
              Setting::isNetwork),
          new Setting(
              "DAYTONA_SECRET",
              Set.of(),
              "the name that “make secret” printed: letters, digits, - and _",
              value -> value.matches("[A-Za-z0-9_-]+")),
          new Setting(
              "DAYTONA_SECRETS",
              Set.of(),
              "variables and the names that “make secret NAME=…” printed, such as"
                  + " GITHUB_TOKEN=our-github, with commas between them; a variable has capital"
                  + " letters, digits and _, and is none that the sandbox needs itself",
              value -> value.matches(SANDBOX_SECRET + "(," + SANDBOX_SECRET + ")*")),
          new Setting(
              "DATABASE_URL",
              TABLES,
              "where PostgreSQL is: postgresql://user:password@host:5432/name, or the same as"
                  + " jdbc:postgresql://…",
              Setting::isDatabase),
          new Setting(
              "MODEL_BASE_URL",
              MODELS,
              "the base URL of an OpenAI-compatible API, such as https://openrouter.ai/api/v1",
              Setting::isUrl),
          new Setting(
              "MODEL_ID", WORK, "the model's name as its provider spells it", Setting::isWord),
          new Setting(
              "MODEL_API_KEY",
              WORK,
              "the key for the model's provider, unless DAYTONA_SECRET names the secret that holds"
                  + " it",
              Setting::isWord,
              Optional.of("DAYTONA_SECRET")),
          new Setting(
              "MODEL_ALLOWED",
              Set.of(),
              "the models that may be used, with commas between them",
              Setting::isWord),
          new Setting(
              "MODEL_SEES",
              Set.of(),
              "the models that can look at images, with commas between them",
              Setting::isWord),
          new Setting(
              "GORKIE_PROGRAMS_ANSWERED",
              Set.of(),
              "ids of apps, bots or bot users that are answered, such as A012AB3CD, with commas"
                  + " between them",
              value -> value.matches("[ABUW][A-Z0-9]{2,30}(,[ABUW][A-Z0-9]{2,30})*")),
          count(
              "GORKIE_PROGRAMS_IN_A_ROW",
              "how often programs may ask in a thread while no person does"),
          count("GORKIE_PROGRAMS_IN_AN_HOUR", "how often one program may ask in an hour"),
          count(
              "GORKIE_PEOPLE_AT_ONCE",
              "in how many conversations there is work for one person at once"),
          ids("GORKIE_PEOPLE_ALLOWED", "of the people who alone are answered", PERSON),
          ids("GORKIE_PEOPLE_DENIED", "of people who are not answered", PERSON),
          ids("GORKIE_CHOICES_ADMINS", "of the people who look after Gorkie", PERSON),
          new Setting(
              "GORKIE_PEOPLE_GUESTS",
              Set.of(),
              "true to answer guests, or false",
              value -> value.matches("true|false")),
          new Setting(
              "GORKIE_PEOPLE_OPT_IN",
              Set.of(),
              "the id of the channel whose members alone are answered, such as C012AB3CD",
              value -> value.matches("[CG][A-Z0-9]{2,30}")),
          ids("GORKIE_CHANNELS_ALLOWED", "of the channels in which alone there are answers", PLACE),
          ids("GORKIE_CHANNELS_DENIED", "of channels in which there are no answers", PLACE),
          new Setting(
              "GORKIE_FORGET_AFTER",
              Set.of(),
              "how long what was said in a workspace is kept after it has left, such as 30d",
              value -> value.matches("[0-9]{1,4}[dhms]")),
          new Setting(
              "GORKIE_WORKER_FUNCTION",
              FUNCTIONS,
              "the name or ARN of the worker's Lambda function",
              Setting::isWord),
          new Setting(
              "GORKIE_ENABLED",
              Set.of(),
              "true, or false to answer every new message with a sentence that says so",
              value -> value.matches("true|false")),
          new Setting("GORKIE_LOG", Set.of(), "text or json", value -> value.matches("text|json")),
          new Setting(
              "GORKIE_DRAIN",
              Set.of(),
              "how long a server that is told to end still answers, such as 10s",
              value -> value.matches(DURATION)),
          limit("GORKIE_SPENDING_THREAD", "a thread"),
          limit("GORKIE_SPENDING_PERSON", "a person's questions"),
          limit("GORKIE_SPENDING_CHANNEL", "a channel"),
          limit("GORKIE_SPENDING_WORKSPACE", "a workspace"),
          count("GORKIE_API_RATE", "how many calls of the API one token may make in a minute"),
          count("GORKIE_TURNS_AT_ONCE", "how many turns of a workspace may be at work at once"),
          new Setting(
              "GORKIE_TURNS_WHILE_RUNNING",
              Set.of(),
              "what a message does that comes while its thread's turn runs: steer, queue or"
                  + " interrupt",
              value -> value.matches("(?i)steer|queue|interrupt")),
          count("GORKIE_TURNS_HOPS_MAX", "how often a run may go from one worker to the next"),
          new Setting(
              "GORKIE_MODEL_RUN_LIMIT",
              Set.of(),
              "how long one run of the agent may take, such as 20m",
              Setting::isDuration),
          new Setting(
              "GORKIE_MODEL_RUN_LIMITS",
              Set.of(),
              "how long one run may take in workspaces where it is not as usual, such as"
                  + " T012AB3CD=45m, with commas between them",
              Setting::areRunLimits),
          new Setting(
              "GORKIE_WORK_LEAVES_BEFORE",
              Set.of(),
              "how long before its function's end a worker hands on what it is at, such as 60s",
              Setting::isDuration),
          new Setting(
              "GORKIE_CHOICES_STRANGERS",
              Set.of(),
              "true or false",
              value -> value.matches("true|false")),
          new Setting(
              "GORKIE_CHOICES_PERMISSIONS",
              Set.of(),
              "bypass, edit or ask",
              value -> value.matches("(?i)bypass|edit|ask")));

  /// With many workspaces each id needs its own before it, since Slack's ids are those of one workspace.
  private static Setting ids(String name, String whose, String form) {
    var one = "(" + TEAM + "/)?(" + form + ")";
    return new Setting(
        name,
        Set.of(),
        "ids %s, such as U012AB3CD or C012AB3CD, with commas between them; with SLACK_CLIENT_ID each behind its workspace, such as T012AB3CD/U012AB3CD"
            .formatted(whose),
        value -> value.matches(one + "(," + one + ")*"));
  }

  /// Whether each of these ids says which workspace it is of.
  static boolean haveTeams(String ids) {
    return ids.matches("(" + TEAM + "/[A-Za-z0-9]+)(," + TEAM + "/[A-Za-z0-9]+)*");
  }

  private static Setting count(String name, String what) {
    return new Setting(
        name, Set.of(), what + ", 1 or more", value -> value.matches("[1-9][0-9]{0,5}"));
  }

  private static Setting limit(String name, String whose) {
    return new Setting(
        name,
        Set.of(),
        "the most that " + whose + " may cost in a day, such as 5.00",
        value -> value.matches("[0-9]{1,9}([.][0-9]{1,6})?") && value.matches(".*[1-9].*"));
  }

  /// A sentence for whoever has to mend it, without the value: it may be a secret.
  Optional<String> complaint(Role role, Optional<String> value) {
    if (value.isEmpty()) {
      return roles.contains(role)
          ? Optional.of(name + " is missing. Expected: " + expected + ".")
          : Optional.empty();
    }
    return value
        .filter(fits.negate())
        .map(_ -> name + " is not what it should be. Expected: " + expected + ".");
  }

  private static boolean isWord(String value) {
    return !value.isBlank()
        && value.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
  }

  private static boolean isNetwork(String value) {
    return value.matches("open|none")
        || Stream.of(value.split(",", -1))
            .map(String::strip)
            .allMatch(
                entry ->
                    BLOCK.matcher(entry).matches()
                        || NAME.matcher(entry).matches() && !entry.matches("[\\d.]+"));
  }

  private static boolean isDuration(String value) {
    try {
      var duration = DurationConverter.parseDuration(value);
      return duration != null && duration.isPositive();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean areRunLimits(String value) {
    return Stream.of(value.split(",", -1))
        .map(limit -> limit.split("=", 2))
        .allMatch(limit -> limit.length == 2 && limit[0].matches(TEAM) && isDuration(limit[1]));
  }

  private static boolean areKeys(String value) {
    return Stream.of(value.split(",", -1)).allMatch(Setting::isKey);
  }

  private static boolean isKey(String value) {
    try {
      if (value.startsWith(KeyService.SEALED)) {
        return Base64.getDecoder().decode(value.substring(KeyService.SEALED.length())).length
            > KEY_BYTES;
      }
      return Base64.getDecoder().decode(value).length == KEY_BYTES;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean isUrl(String value) {
    return uri(value)
        .filter(uri -> "http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        .filter(uri -> uri.getHost() != null)
        .isPresent();
  }

  private static boolean isDatabase(String value) {
    var plain = value.startsWith("jdbc:") ? value.substring("jdbc:".length()) : value;
    return uri(plain)
        .filter(uri -> "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme()))
        .filter(uri -> uri.getHost() != null && uri.getPath() != null && uri.getPath().length() > 1)
        .isPresent();
  }

  private static Optional<URI> uri(String value) {
    try {
      return Optional.of(URI.create(value));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
