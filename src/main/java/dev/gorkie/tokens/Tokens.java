package dev.gorkie.tokens;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.database.Database;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes tokens and knows them again. Of a token only a hash is kept: whoever reads the tables can use none.
@ApplicationScoped
public class Tokens {

  private static final String BEARER = "Bearer ";
  // The first part says which, the second that it is that one.
  private static final Pattern FORM = Pattern.compile("gorkie_([a-z2-7]{12})_([A-Za-z0-9_-]{43})");
  private static final Pattern TENANT = Pattern.compile("[a-z0-9]{1,32}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9 ._-]{1,64}");
  private static final String ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int ID_LENGTH = 12;
  private static final int SECRET_BYTES = 32;
  private static final int DAYS_MAX = 3_650;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  // A program that begins may ask for much at once, a tenth of what it may in a minute.
  private static final int AT_ONCE = 10;

  private final Database database;
  private final TokenRows rows;
  private final Duration every;
  private final Duration ahead;
  private final SecureRandom random = new SecureRandom();

  @ConfigMapping(prefix = "gorkie.tokens")
  interface Rules {

    /// How many calls one token may make in a minute. Each is some calls to a sandbox, which answers some tens in a second.
    @WithDefault("600")
    int perMinute();
  }

  @Inject
  Tokens(Database database, TokenRows rows, Rules rules) {
    this.database = database;
    this.rows = rows;
    this.every = MINUTE.dividedBy(Math.max(1, rules.perMinute()));
    this.ahead = every.multipliedBy(Math.max(1, rules.perMinute() / AT_ONCE) - 1L);
  }

  /// What comes of a call with this header, for which any of these scopes is enough. One that is let in is counted.
  public Verdict check(String authorization, Set<Scope> anyOf) {
    var form =
        FORM.matcher(
            authorization.startsWith(BEARER) ? authorization.substring(BEARER.length()) : "");
    return form.matches()
        ? database.transaction(() -> check(form.group(1), form.group(2), anyOf))
        : new Verdict.Unknown();
  }

  private Verdict check(String id, String secret, Set<Scope> anyOf) {
    var row = rows.find(id);
    if (row.isEmpty()
        || !MessageDigest.isEqual(
            row.get().sha256().getBytes(US_ASCII), hash(secret).getBytes(US_ASCII))) {
      return new Verdict.Unknown();
    }
    if (anyOf.stream().noneMatch(row.get().scopes()::contains)) {
      return new Verdict.NotForThis(anyOf);
    }
    return rows.spend(id, every, ahead)
        ? new Verdict.Good(new Bearer(id, row.get().tenant()))
        : new Verdict.TooOften(row.get().ahead().minus(ahead));
  }

  /// What is wrong with a wish for a token, in a sentence; empty text when nothing is.
  public static String complaint(String tenant, String name, String scopes, String days) {
    if (!TENANT.matcher(tenant).matches()) {
      return "TENANT is not what it should be. Expected: up to 32 small letters and digits, such as acme.";
    }
    if (!NAME.matcher(name).matches()) {
      return "NAME is not what it should be. Expected: what the token is for, up to 64 letters, digits, blanks, points and dashes.";
    }
    if (scopesOf(scopes).isEmpty()
        || !Stream.of(scopes.split(",", -1)).allMatch(it -> Scope.of(it).isPresent())) {
      return "SCOPES is not what it should be. Expected: some of execute, read, write and admin, with commas between them.";
    }
    if (!days.matches("[1-9][0-9]{0,4}") || Integer.parseInt(days) > DAYS_MAX) {
      return "DAYS is not what it should be. Expected: for how many days it is good, 1 to "
          + DAYS_MAX
          + ".";
    }
    return "";
  }

  /// The token, which nobody can be told again.
  public String make(String tenant, String name, String scopes, String days) {
    var id =
        random
            .ints(ID_LENGTH, 0, ID_CHARACTERS.length())
            .mapToObj(at -> ID_CHARACTERS.substring(at, at + 1))
            .collect(Collectors.joining());
    var bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    var secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    database.transaction(
        () -> {
          rows.insert(
              id,
              hash(secret),
              tenant,
              name,
              scopesOf(scopes),
              Duration.ofDays(Long.parseLong(days)));
          return true;
        });
    return "gorkie_" + id + "_" + secret;
  }

  private static Set<Scope> scopesOf(String scopes) {
    return Stream.of(scopes.split(",", -1))
        .flatMap(scope -> Scope.of(scope).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /// By its first part, or the whole of it. False when there is none that is good.
  public boolean revoke(String token) {
    var form = FORM.matcher(token);
    var id = form.matches() ? form.group(1) : token;
    return database.transaction(() -> rows.revoke(id));
  }

  /// Nobody comes in for this tenant any more, and nobody knows who did.
  public void forget(String tenant) {
    database.transaction(() -> rows.forget(tenant));
  }

  /// A line for each that is good.
  public List<String> list() {
    return database.transaction(rows::lines);
  }

  // A secret of 256 random bits is not guessed, however fast the hash.
  private static String hash(String secret) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
