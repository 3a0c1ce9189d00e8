package dev.gorkie.slack;

import dev.gorkie.Failure;
import dev.gorkie.aws.KeyService;
import dev.gorkie.database.Database;
import dev.gorkie.seal.Seal;
import dev.gorkie.slack.InstallationRows.Held;
import dev.gorkie.slack.InstallationRows.Row;
import io.smallrye.config.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Which workspaces have let us in, and by which token: the one that the operator gave us, or one for each workspace that came
/// through Slack's own page.
@ApplicationScoped
public class Installations implements Tokens {

  private static final Logger LOG = Logger.getLogger(Installations.class);

  private static final String ACCESS = "oauth.v2.access";
  private static final int TRIES_MAX = 3;
  // As many as one look seals anew; the next one does the rest.
  private static final int RESEALED_MAX = 100;
  // Of a workspace that has thrown us out, or changed its token, we hear at the latest then.
  private static final Duration BELIEVED = Duration.ofMinutes(1);
  // A token lasts twelve hours: with two left there are many tries before anybody has to wait.
  private static final Duration RENEWED_BEFORE = Duration.ofHours(2);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(200);
  private static final String WELCOME =
      "I am in this workspace now. Mention me in a channel that I was invited to, or write to me"
          + " here; `!help` tells what I can be told.";

  private final Database database;
  private final InstallationRows rows;
  private final SlackHttp http;
  private final Optional<String> only;
  private final Optional<String> client;
  private final String clientSecret;
  private final Seal seal;
  private final Duration renewsWithin;
  private final InstantSource clock = InstantSource.system();
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, Origin> origins = new ConcurrentHashMap<>();

  private record Known(String token, Instant until) {}

  @Inject
  Installations(
      Database database,
      InstallationRows rows,
      SlackHttp http,
      SlackSettings settings,
      KeyService keys) {
    this.database = database;
    this.rows = rows;
    this.http = http;
    this.only = settings.botToken().map(Secret::get);
    this.client = settings.clientId();
    this.clientSecret = settings.clientSecret().map(Secret::get).orElse("");
    this.seal =
        Seal.with(settings.tokenKeys().orElse(List.of()).stream().map(Secret::get).toList(), keys);
    // A call that was made is answered by then.
    this.renewsWithin = settings.callTimeout().multipliedBy(2);
  }

  /// Whether there is any use in working for this workspace.
  public boolean isIn(String team) {
    return client.isEmpty() ? only.isPresent() : known.containsKey(team) || found(team).isPresent();
  }

  @Override
  public Optional<String> of(String team) {
    if (client.isEmpty()) {
      return only;
    }
    var before = known.get(team);
    if (before != null && clock.instant().isBefore(before.until())) {
      return Optional.of(before.token());
    }
    var token = found(team).map(this::current);
    token.ifPresent(it -> known.put(team, new Known(it, clock.instant().plus(BELIEVED))));
    return token;
  }

  @Override
  public void refused(String team) {
    known.remove(team);
  }

  private Optional<Row> found(String team) {
    return database.transaction(() -> rows.find(team));
  }

  private String current(Row row) {
    var left = row.held().left();
    if (left.filter(it -> it.compareTo(RENEWED_BEFORE) < 0).isEmpty()
        || row.held().next().isEmpty()) {
      return opened(row.held().token(), row.place());
    }
    if (database.transaction(() -> rows.beginRenewal(row, renewsWithin))) {
      return renewed(row);
    }
    // Somebody else is at it, and what we have is good meanwhile.
    return left.get().isPositive() ? opened(row.held().token(), row.place()) : awaited(row);
  }

  private String renewed(Row row) {
    var form =
        Map.of(
            "grant_type",
            "refresh_token",
            "refresh_token",
            opened(row.held().next().orElseThrow(), row.place()));
    switch (access(form)) {
      case Result.Ok<Wire.Access>(var given) when given.accessToken != null -> {
        var held = held(given, row.place());
        if (!database.transaction(() -> rows.renewed(row, held))) {
          LOG.warnf("The installation of %s has changed while its token was renewed", row.place());
        }
        return given.accessToken;
      }
      case Result.Refused<Wire.Access>(var error) ->
          LOG.errorf(
              "The token of %s cannot be renewed: %s. Somebody has to open /slack/install again",
              row.place(), error);
      case Result<Wire.Access> failed ->
          // Another try when nobody can be at it any more.
          LOG.warnf("The token of %s was not renewed: %s", row.place(), failed);
    }
    return opened(row.held().token(), row.place());
  }

  /// The token that somebody else is about to get.
  private String awaited(Row row) {
    var until = clock.instant().plus(renewsWithin);
    var now = Optional.of(row);
    try {
      while (now.filter(it -> it.version() == row.version()).isPresent()
          && clock.instant().isBefore(until)) {
        Thread.sleep(LOOKS_EVERY);
        now = found(row.place());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    var last = now.orElse(row);
    return opened(last.held().token(), last.place());
  }

  private Result<Wire.Access> access(Map<String, String> more) {
    var form = new HashMap<>(more);
    form.put("client_id", client.orElse(""));
    form.put("client_secret", clientSecret);
    return http.call(Optional.empty(), ACCESS, form, Wire.Access.class);
  }

  private Held held(Wire.Access given, String place) {
    return new Held(
        seal.seal(given.accessToken == null ? "" : given.accessToken, place),
        Optional.ofNullable(given.refreshToken).map(next -> seal.seal(next, place)),
        Optional.of(given.expiresIn).filter(it -> it > 0).map(Duration::ofSeconds));
  }

  private String opened(String sealed, String place) {
    return seal.open(sealed, place);
  }

  /// Changes the code of somebody who has agreed into a token, and says in Slack that we are there.
  public void join(Membership.Agreed agreed) throws InterruptedException {
    for (var tries = 0; tries < TRIES_MAX; tries++) {
      switch (access(Map.of("code", agreed.code()))) {
        case Result.Ok<Wire.Access>(var given) -> {
          keep(given);
          return;
        }
        case Result.Refused<Wire.Access>(var error) -> {
          LOG.warnf("Slack gives no token for somebody's consent: %s", error);
          return;
        }
        case Result.Later<Wire.Access>(var pause) -> Thread.sleep(pause);
        case Result.Lost<Wire.Access>(var why) -> LOG.warnf("A consent: %s", why);
      }
    }
  }

  private void keep(Wire.Access given) {
    var organisation = given.isEnterpriseInstall ? given.enterprise : given.team;
    if (given.accessToken == null || organisation == null || organisation.id == null) {
      LOG.warn("Slack gave a token without saying whose");
      return;
    }
    var place = organisation.id;
    var by = given.authedUser == null || given.authedUser.id == null ? "" : given.authedUser.id;
    database.transaction(
        () -> {
          rows.put(
              place,
              given.appId == null ? "" : given.appId,
              given.botUserId == null ? "" : given.botUserId,
              by,
              held(given, place));
          return true;
        });
    known.clear();
    LOG.infof("%s has let us in", place);
    if (!by.isEmpty()) {
      http.call(
          Optional.of(given.accessToken),
          "chat.postMessage",
          Map.of("channel", by, "text", WELCOME, "unfurl_links", "false", "unfurl_media", "false"),
          Wire.Posted.class);
    }
  }

  /// Seals with the newest key what an older one has sealed, so that the older one can be done away with.
  ///
  /// @return how many are left, as far as one look gets
  public int sealAnew() {
    var newest = seal.newest();
    if (client.isEmpty() || newest.isEmpty()) {
      return 0;
    }
    var old = database.transaction(() -> rows.sealedOtherwise(newest.get(), RESEALED_MAX));
    var left = 0;
    for (var row : old) {
      try {
        var held = row.held();
        var anew =
            new Held(anew(held.token(), row), held.next().map(it -> anew(it, row)), held.left());
        if (!database.transaction(() -> rows.sealedAnew(row, anew))) {
          left++;
        }
      } catch (Failure failure) {
        LOG.warnf("The token of %s stays as it is sealed: %s", row.place(), failure.getMessage());
        left++;
      }
    }
    if (!old.isEmpty()) {
      LOG.infof(
          "%d tokens are sealed with the newest key now, %d are not", old.size() - left, left);
    }
    return left;
  }

  private String anew(String sealed, Row row) {
    return seal.seal(opened(sealed, row.place()), row.place());
  }

  /// Forgets the token of whoever does not want us any more.
  public void leave(Membership.Ended ended) {
    database.transaction(
        () -> {
          rows.remove(ended.place(), ended.at());
          return true;
        });
    known.clear();
    LOG.infof("%s does not want us any more", ended.place());
  }

  /// The workspaces for which this place has let us in: itself, or those of an organisation.
  public List<String> teamsOf(String place) {
    return database.transaction(() -> rows.teamsOf(place));
  }

  /// Whether this workspace, or its organisation, has let us in by Slack's page and not thrown us out.
  public boolean hasToken(String team) {
    return client.isPresent() && found(team).isPresent();
  }

  /// Only inside a transaction of the caller's.
  public void forget(String team) {
    rows.forget(team);
    known.remove(team);
    origins.remove(team);
  }

  /// To be called with each delivery: one that comes by an organisation's installation tells which workspace is its.
  public void heard(byte[] body) {
    if (client.isEmpty()) {
      return;
    }
    Origin.read(body)
        .filter(origin -> !origin.equals(origins.get(origin.team())))
        .ifPresent(
            origin -> {
              database.transaction(
                  () -> {
                    rows.belongs(origin);
                    return true;
                  });
              origins.put(origin.team(), origin);
            });
  }
}
