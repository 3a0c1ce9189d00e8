package dev.gorkie.logbook;

import dev.gorkie.Fault;
import dev.gorkie.settings.Role;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;

/// Where the rooms write down what happened: a line for whoever reads the log, and a number for whoever watches them all.
@ApplicationScoped
public class Logbook {

  // Not the class's own: in Quarkus the log's manager is there before this is.
  private final Logger log = Logger.getLogger("dev.gorkie.logbook");
  private final Meters meters;

  @Inject
  Logbook(Role role) {
    this(
        role == Role.SERVER
            ? new ScrapedMeters()
            : new EmbeddedMeters(
                role.name().toLowerCase(Locale.ROOT), System.out, InstantSource.system()));
  }

  Logbook(Meters meters) {
    this.meters = meters;
  }

  /// One that nobody reads.
  public static Logbook ofNobody() {
    return new Logbook(new ScrapedMeters());
  }

  /// @param detail neither a secret nor what a person wrote
  public void note(Event event, String detail) {
    write(event, event.level(), detail, Map.of());
    event.count().ifPresent(meters::counted);
  }

  public void took(Took what, Duration time) {
    meters.took(what, time);
  }

  /// For how long the message that waits longest has waited, where nobody works on it.
  public void queueAge(Duration oldest) {
    meters.queueAge(oldest);
  }

  /// How many sandboxes are awake, as far as we know.
  public void sandboxes(long awake) {
    meters.sandboxes(awake);
  }

  /// To be said once for each turn, by whoever has written its end down.
  public void ended(Ended turn) {
    var fields =
        Map.of(
            "code", turn.code(),
            "fault", turn.faultWord(),
            "seconds", Long.toString(turn.took().toSeconds()),
            "tokens", Long.toString(turn.tokens()),
            "cost", turn.cost().toPlainString());
    var level = turn.fault().map(Logbook::level).orElse(Level.INFO);
    var detail =
        "%s, fault %s, after %d s, %d tokens, cost %s"
            .formatted(
                turn.code(),
                turn.faultWord(),
                turn.took().toSeconds(),
                turn.tokens(),
                turn.cost().toPlainString());
    write(Event.TURN_ENDED, level, detail, fields);
    turn.ofPrompt().ifPresent(event -> write(event, level, detail, fields));
    meters.ended(turn);
  }

  /// What a server shows Prometheus; empty where there is nobody to ask for it.
  public Optional<String> scraped() {
    return meters instanceof ScrapedMeters scraped ? Optional.of(scraped.text()) : Optional.empty();
  }

  private static Level level(Fault fault) {
    return switch (fault) {
      case PERSON, LIMIT -> Level.INFO;
      case PROVIDER -> Level.WARN;
      case OPERATOR -> Level.ERROR;
    };
  }

  private void write(Event event, Level level, String detail, Map<String, String> fields) {
    var line = new ExtLogRecord(level, event.word() + ": " + detail, Logbook.class.getName());
    line.setLoggerName(log.getName());
    line.putMdc("event", event.word());
    fields.forEach(line::putMdc);
    log.log(line);
  }
}
