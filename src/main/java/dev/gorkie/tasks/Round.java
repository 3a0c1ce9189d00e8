package dev.gorkie.tasks;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/// What comes round: cron's five fields, by the clocks of one time zone.
final class Round {

  // As many as there can be in two days of what comes round every half hour.
  private static final int LOOKED_AT = 100;

  private final ExecutionTime times;
  private final ZoneId zone;

  private Round(ExecutionTime times, ZoneId zone) {
    this.times = times;
    this.zone = zone;
  }

  /// Empty for what is no such expression.
  static Optional<Round> read(String cron, ZoneId zone) {
    try {
      var parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
      return Optional.of(new Round(ExecutionTime.forCron(parser.parse(cron).validate()), zone));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// Empty where it never comes again.
  Optional<Instant> next(Instant after) {
    return times.nextExecution(ZonedDateTime.ofInstant(after, zone)).map(ZonedDateTime::toInstant);
  }

  /// The shortest time from once to the next, of those that come first.
  Duration shortest(Instant from) {
    var shortest = Duration.ofDays(366);
    var last = next(from);
    for (var looked = 0; looked < LOOKED_AT && last.isPresent(); looked++) {
      var next = next(last.get());
      if (next.isPresent()) {
        var between = Duration.between(last.get(), next.get());
        shortest = between.compareTo(shortest) < 0 ? between : shortest;
      }
      last = next;
    }
    return shortest;
  }
}
