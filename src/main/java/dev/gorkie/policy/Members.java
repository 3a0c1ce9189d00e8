package dev.gorkie.policy;

import dev.gorkie.Failure;
import dev.gorkie.slack.Conversations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Who is in the channel that makes people ours, where the operator has named one.
@ApplicationScoped
class Members {

  private static final Logger LOG = Logger.getLogger(Members.class);

  // Who has left is answered for so long at the most.
  private static final Duration BELIEVED = Duration.ofMinutes(5);

  private final Conversations conversations;
  private final Optional<String> channel;
  private final Duration joinedWithin;
  private final InstantSource clock = InstantSource.system();
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(Set<String> users, Instant asked) {}

  @Inject
  Members(Conversations conversations, Policy.Persons persons) {
    this.conversations = conversations;
    this.channel = persons.optIn();
    this.joinedWithin = persons.joinedWithin();
  }

  boolean isIn(String team, String user, boolean isProgram) {
    if (channel.isEmpty() || isProgram) {
      return true;
    }
    var now = clock.instant();
    var before = known.get(team);
    var isIn = before != null && before.users().contains(user);
    var most = isIn ? BELIEVED : joinedWithin;
    if (before != null && before.asked().plus(most).isAfter(now)) {
      return isIn;
    }
    try {
      var users = conversations.members(team, channel.get()).users();
      known.put(team, new Known(users, now));
      return users.contains(user);
    } catch (Failure failure) {
      // Nobody is kept from asking because Slack is busy.
      LOG.warnf("Who is in channel %s: %s", channel.get(), failure.getMessage());
      return before == null || isIn;
    }
  }

  String name(String team) {
    try {
      return channel
          .flatMap(it -> conversations.place(team, it))
          .map(Conversations.Place::name)
          .orElse("");
    } catch (Failure _) {
      return "";
    }
  }
}
