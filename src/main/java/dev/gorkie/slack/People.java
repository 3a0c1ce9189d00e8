package dev.gorkie.slack;

import dev.gorkie.Failure;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What people are called. A person without a name we can read is called by the id.
@ApplicationScoped
public class People {

  private static final int NAMES_MAX = 2_000;
  private static final int NAME_CHARACTERS_MAX = 80;
  private static final Duration NAME_AGE_MAX = Duration.ofHours(1);

  private final SlackApi api;
  private final InstantSource clock = InstantSource.system();
  private final Map<Person, Name> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Person, Name> eldest) {
          return size() > NAMES_MAX;
        }
      };

  private record Person(String team, String user) {}

  private record Name(String name, Instant asked) {}

  People(SlackApi api) {
    this.api = api;
  }

  /// One line, whatever the person made of it.
  public String displayName(String team, String user) {
    var person = new Person(team, user);
    return known(person).or(() -> asked(person)).orElse(user);
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
      var result = api.call("users.info", Map.of("user", person.user()), Wire.UserInfo.class);
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
