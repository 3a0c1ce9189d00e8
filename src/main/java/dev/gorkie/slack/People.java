package dev.gorkie.slack;

import dev.gorkie.Failure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What people are called. A person without a name we can read is called by the id.
@ApplicationScoped
public class People {

  private static final int NAMES_MAX = 2_000;
  private static final int NAME_CHARACTERS_MAX = 80;
  private static final Duration NAME_AGE_MAX = Duration.ofHours(1);
  // Who has become a guest, or has left, is answered for so long at the most.
  private static final Duration KIND_AGE_MAX = Duration.ofMinutes(10);

  private final SlackApi api;
  private final Duration toldWithin;
  private final InstantSource clock;
  private final Map<Person, Name> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Person, Name> eldest) {
          return size() > NAMES_MAX;
        }
      };

  private final Map<Person, Known> kinds =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Person, Known> eldest) {
          return size() > NAMES_MAX;
        }
      };

  private record Known(Kind kind, Instant asked) {}

  private record Person(String team, String user) {}

  private record Name(String name, Instant asked) {}

  @Inject
  People(SlackApi api, SlackSettings settings) {
    this(api, settings, InstantSource.system());
  }

  People(SlackApi api, SlackSettings settings, InstantSource clock) {
    this.clock = clock;
    this.api = api;
    this.toldWithin = settings.toldWithin();
  }

  /// One line, whatever the person made of it.
  public String displayName(String team, String user) {
    var person = new Person(team, user);
    return known(person).or(() -> asked(person)).orElse(user);
  }

  /// What somebody is in a workspace.
  public enum Kind {
    MEMBER,
    /// In some channels only.
    GUEST,
    /// Of another company.
    STRANGER,
    PROGRAM,
    /// Whose account is closed.
    GONE
  }

  /// What somebody is, as Slack told lately, or last where it does not tell in time; empty where it never did.
  public Optional<Kind> kind(String team, String user) {
    Optional<Known> known;
    synchronized (names) {
      known = Optional.ofNullable(kinds.get(new Person(team, user)));
    }
    var oldest = clock.instant().minus(KIND_AGE_MAX);
    if (known.filter(it -> it.asked().isAfter(oldest)).isPresent()) {
      return known.map(Known::kind);
    }
    var asking = new FutureTask<>(() -> kindForSure(team, user));
    Thread.ofVirtual().name("who-is").start(asking);
    try {
      return Optional.of(asking.get(toldWithin.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException _) {
      return known.map(Known::kind);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return known.map(Known::kind);
    }
  }

  /// What somebody is just now, however long Slack takes to tell.
  ///
  /// @throws Failure where it does not
  public Kind kindForSure(String team, String user) {
    var kind =
        switch (api.call(team, "users.info", Map.of("user", user), Wire.UserInfo.class)) {
          case Result.Ok<Wire.UserInfo>(var info) -> {
            name(info.user).ifPresent(it -> remember(new Person(team, user), it));
            yield kind(info.user);
          }
          // Whom the workspace does not know, or does not show to us, has nothing to ask of us.
          case Result.Refused<Wire.UserInfo>(var error) when error.startsWith("user_not_") ->
              Kind.GONE;
          case Result<Wire.UserInfo> failed ->
              throw new Failure(SlackFailure.UNREACHABLE, "users.info: " + failed);
        };
    synchronized (names) {
      kinds.put(new Person(team, user), new Known(kind, clock.instant()));
    }
    return kind;
  }

  private static Kind kind(Wire.@Nullable User user) {
    if (user == null || user.deleted) {
      return Kind.GONE;
    }
    if (user.isBot) {
      return Kind.PROGRAM;
    }
    if (user.isStranger) {
      return Kind.STRANGER;
    }
    return user.isRestricted || user.isUltraRestricted ? Kind.GUEST : Kind.MEMBER;
  }

  /// A person as others of the workspace see one.
  ///
  /// @param guest whether the person is in some channels only, or of another company
  /// @param admin whether the person looks after the workspace
  public record Profile(
      String name, String title, String timeZone, boolean bot, boolean guest, boolean admin) {}

  /// Asked anew each time: what somebody may see depends on it.
  public Optional<Profile> profile(String team, String user) {
    return api.call(team, "users.info", Map.of("user", user), Wire.UserInfo.class)
            instanceof Result.Ok<Wire.UserInfo>(var info)
        ? Optional.ofNullable(info.user).map(found -> profile(team, user, found))
        : Optional.empty();
  }

  private static Profile profile(String team, String user, Wire.User found) {
    var isOfAnother = found.teamId != null && !found.teamId.equals(team);
    var isGuest = found.isRestricted || found.isUltraRestricted || found.isStranger || isOfAnother;
    return new Profile(
        name(found).orElse(user),
        line(found.profile == null ? null : found.profile.title),
        line(found.tz),
        found.isBot,
        isGuest,
        !isGuest && (found.isAdmin || found.isOwner || found.isPrimaryOwner));
  }

  private static String line(@Nullable String text) {
    return text == null ? "" : SafeText.line(MessageText.unescaped(text), NAME_CHARACTERS_MAX);
  }

  private Optional<String> known(Person person) {
    var oldest = clock.instant().minus(NAME_AGE_MAX);
    synchronized (names) {
      return Optional.ofNullable(names.get(person))
          .filter(name -> name.asked().isAfter(oldest))
          .map(Name::name);
    }
  }

  private Optional<String> asked(Person person) {
    try {
      var result =
          api.call(person.team(), "users.info", Map.of("user", person.user()), Wire.UserInfo.class);
      if (!(result instanceof Result.Ok<Wire.UserInfo>(var info))) {
        return Optional.empty();
      }
      var name = name(info.user);
      name.ifPresent(it -> remember(person, it));
      return name;
    } catch (Failure _) {
      return Optional.empty();
    }
  }

  private void remember(Person person, String name) {
    synchronized (names) {
      names.put(person, new Name(name, clock.instant()));
    }
  }

  private static Optional<String> name(Wire.@Nullable User user) {
    if (user == null) {
      return Optional.empty();
    }
    var profile = user.profile == null ? new Wire.Profile() : user.profile;
    return Stream.of(profile.displayName, profile.realName, user.realName, user.name)
        .flatMap(Stream::ofNullable)
        .map(name -> SafeText.line(MessageText.unescaped(name), NAME_CHARACTERS_MAX))
        .filter(name -> !name.isEmpty())
        .findFirst();
  }
}
