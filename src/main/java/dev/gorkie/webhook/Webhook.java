package dev.gorkie.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.Secret;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.logging.Logger;

/// What is to be posted, and posting it. Where an operator has named no address there is nothing.
@ApplicationScoped
public class Webhook {

  private static final Logger LOG = Logger.getLogger(Webhook.class);

  private static final int CONNECT_MILLIS_MAX = 2_000;
  private static final int READ_MILLIS_MAX = 5_000;
  // Each may take some seconds where nobody answers; the next look takes the rest.
  private static final int AT_ONCE = 5;
  private static final String ALGORITHM = "HmacSHA256";

  private final Database database;
  private final Statements statements;
  private final Optional<URI> url;
  private final byte[] secret;
  private final Duration again;
  private final Duration kept;

  @ConfigMapping(prefix = "gorkie.webhook")
  interface Settings {

    Optional<URI> url();

    /// By which whoever is told knows that it was us.
    Optional<Secret<String>> secret();

    /// After the first try; after each more it is twice as long.
    @WithDefault("10s")
    Duration again();

    /// Whoever has not taken it by then does not miss it.
    @WithDefault("1d")
    Duration kept();
  }

  @Inject
  Webhook(Database database, Statements statements, Settings settings) {
    this.database = database;
    this.statements = statements;
    this.url = settings.url();
    this.secret = settings.secret().map(Secret::get).orElse("").getBytes(UTF_8);
    this.again = settings.again();
    this.kept = settings.kept();
  }

  /// Only inside a transaction of the caller's: it ends so and is told, or neither.
  public void note(Finished finished) {
    if (url.isPresent()) {
      statements
          .of(
              """
              insert into announcements (event_id, thread_id, body) values (:id, :thread, :body)
              on conflict (event_id) do nothing
              """)
          .setParameter("id", finished.id())
          .setParameter("thread", finished.thread().toString())
          .setParameter("body", finished.json(Instant.now()))
          .executeUpdate();
    }
  }

  /// Nothing is said of the thread any more. Only inside a transaction of the caller's.
  public void forget(ThreadKey thread) {
    statements
        .of("delete from announcements where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  /// Whether something is still to be said.
  public boolean hasLeftovers() {
    return url.isPresent()
        && database.transaction(
            () ->
                (Boolean)
                    statements
                        .of("select exists (select 1 from announcements)", Boolean.class)
                        .getSingleResult());
  }

  private record Announcement(long id, String event, String body) {}

  /// Posts what is due. Whoever takes one has it for itself until the next try is due.
  public void post() {
    if (url.isEmpty()) {
      return;
    }
    for (var one : database.transaction(this::taken)) {
      if (isHeard(one)) {
        database.transaction(
            () ->
                statements
                    .of("delete from announcements where id = :id")
                    .setParameter("id", one.id())
                    .executeUpdate());
      }
    }
  }

  private List<Announcement> taken() {
    var dropped =
        statements
            .of(
                "delete from announcements where made_at < clock_timestamp() - :millis * interval"
                    + " '1 millisecond'")
            .setParameter("millis", kept.toMillis())
            .executeUpdate();
    if (dropped > 0) {
      LOG.warnf("%d words for the webhook were not taken in time and are dropped", dropped);
    }
    var taken =
        statements.of(
            """
            update announcements
            set attempts = attempts + 1,
              due_at = clock_timestamp() + :millis * power(2, least(attempts, 12)) * interval '1 millisecond'
            where id in (select id from announcements where due_at <= clock_timestamp()
                         order by due_at limit :most for update skip locked)
            returning id, event_id, body
            """,
            Object[].class);
    List<Object[]> rows =
        taken
            .setParameter("millis", again.toMillis())
            .setParameter("most", AT_ONCE)
            .getResultList();
    return rows.stream()
        .map(row -> new Announcement((Long) row[0], (String) row[1], (String) row[2]))
        .toList();
  }

  /// Whether there is nothing more to be said: it was taken, or it is wanted no more.
  private boolean isHeard(Announcement one) {
    try {
      var status = status(one);
      if (status / 100 != 2) {
        LOG.warnf("The webhook answers %d to %s", status, one.event());
      }
      return status / 100 == 2 || status == HttpURLConnection.HTTP_GONE;
    } catch (IOException e) {
      LOG.warnf("The webhook does not answer: %s", e.getMessage());
      return false;
    }
  }

  private int status(Announcement one) throws IOException {
    var body = one.body().getBytes(UTF_8);
    var at = Long.toString(Instant.now().getEpochSecond());
    var connection = (HttpURLConnection) url.orElseThrow().toURL().openConnection();
    try {
      connection.setRequestMethod("POST");
      connection.setConnectTimeout(CONNECT_MILLIS_MAX);
      connection.setReadTimeout(READ_MILLIS_MAX);
      // What is said here is meant for that address and for no other.
      connection.setInstanceFollowRedirects(false);
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(body.length);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty("X-Gorkie-Event", one.event());
      connection.setRequestProperty("X-Gorkie-Timestamp", at);
      connection.setRequestProperty("X-Gorkie-Signature", signature(at, one.body()));
      try (var out = connection.getOutputStream()) {
        out.write(body);
      }
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  /// As Slack signs what it says.
  private String signature(String at, String body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return "v0="
          + HexFormat.of().formatHex(mac.doFinal(("v0:" + at + ":" + body).getBytes(UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, impossible);
    }
  }
}
