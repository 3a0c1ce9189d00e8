package dev.gorkie.workbench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.Failure;
import dev.gorkie.aws.KeyService;
import dev.gorkie.database.Database;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.seal.Seal;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jboss.logging.Logger;

/// What the sandboxes of tenants are held to. What programs find in their environment is sealed where it is kept.
@ApplicationScoped
public class Policies {

  /// So many may one tenant have.
  public static final int OF_TENANT_MAX = 50;

  private static final Logger LOG = Logger.getLogger(Policies.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Database database;
  private final PolicyRows rows;
  private final Sandboxes sandboxes;
  private final Seal seal;

  @ConfigMapping(prefix = "gorkie.workbench")
  interface Rules {

    /// What is secret is sealed with these, 32 bytes each as Base64; the first seals, all open.
    Optional<List<Secret<String>>> tokenKeys();
  }

  /// What becomes of a policy that is to be kept.
  public enum Kept {
    YES,
    /// It would let sandboxes reach more than the operator lets them.
    TOO_WIDE,
    /// There is nothing to seal its environment with.
    NO_KEY,
    TOO_MANY
  }

  @Inject
  Policies(Database database, PolicyRows rows, Sandboxes sandboxes, KeyService keys, Rules rules) {
    this.database = database;
    this.rows = rows;
    this.sandboxes = sandboxes;
    this.seal =
        Seal.with(rules.tokenKeys().orElse(List.of()).stream().map(Secret::get).toList(), keys);
  }

  public Kept put(Policy policy) {
    if (policy.network().filter(it -> !sandboxes.isWithinReach(it)).isPresent()) {
      return Kept.TOO_WIDE;
    }
    if (!policy.environment().isEmpty() && seal.newest().isEmpty()) {
      return Kept.NO_KEY;
    }
    var row =
        new PolicyRows.Row(
            policy.tenant(),
            policy.name(),
            policy.network(),
            policy.memoryMb(),
            policy.timeoutSeconds(),
            policy.runtimes(),
            Optional.of(policy.environment())
                .filter(it -> !it.isEmpty())
                .map(it -> seal.seal(json(it), about(policy.tenant(), policy.name()))));
    return database.transaction(
        () -> {
          if (rows.find(policy.tenant(), policy.name()).isEmpty()
              && rows.count(policy.tenant()) >= OF_TENANT_MAX) {
            return Kept.TOO_MANY;
          }
          rows.put(row);
          return Kept.YES;
        });
  }

  public Optional<Policy> find(String tenant, String name) {
    return database.transaction(() -> rows.find(tenant, name)).map(this::opened);
  }

  public List<Policy> of(String tenant) {
    return database.transaction(() -> rows.of(tenant)).stream().map(this::opened).toList();
  }

  /// Nothing happens where there is none. Sessions that have it go on without.
  public void remove(String tenant, String name) {
    database.transaction(
        () -> {
          rows.remove(tenant, name);
          return true;
        });
  }

  void forget(String tenant) {
    database.transaction(() -> rows.forget(tenant));
  }

  /// Seals with the newest key what an older one has sealed, so that the older one can be done away with.
  void reseal() {
    var newest = seal.newest();
    if (newest.isEmpty()) {
      return;
    }
    for (var row : database.transaction(() -> rows.notBeginning(newest.get()))) {
      var about = about(row.tenant(), row.name());
      try {
        var sealed = seal.seal(seal.open(row.environment().orElseThrow(), about), about);
        database.transaction(() -> rows.isResealed(row, sealed));
      } catch (Failure failure) {
        LOG.warnf("Sealed with no key that is known is the %s: %s", about, failure.getMessage());
      }
    }
  }

  /// Only inside a transaction of the caller's.
  boolean isThere(String tenant, String name) {
    return rows.find(tenant, name).isPresent();
  }

  /// What is wanted, as far as the policy lets it be.
  static void apply(Policy policy, Kind kind, ObjectNode wish) {
    if (kind != Kind.EXECUTE) {
      return;
    }
    lower(wish, "timeout", policy.timeoutSeconds());
    lower(wish, "memory_mb", policy.memoryMb());
    if (!policy.environment().isEmpty()) {
      var environment = wish.putObject("env");
      policy.environment().forEach(environment::put);
    }
  }

  private static void lower(ObjectNode wish, String name, OptionalInt most) {
    most.ifPresent(
        it -> wish.put(name, wish.has(name) ? Math.min(it, wish.path(name).asInt()) : it));
  }

  private Policy opened(PolicyRows.Row row) {
    return new Policy(
        row.tenant(),
        row.name(),
        row.network(),
        row.memoryMb(),
        row.timeoutSeconds(),
        row.runtimes(),
        row.environment()
            .map(it -> map(seal.open(it, about(row.tenant(), row.name()))))
            .orElse(Map.of()));
  }

  /// Put under another name it does not open.
  private static String about(String tenant, String name) {
    return "policy " + tenant + " " + name;
  }

  private static String json(Map<String, String> environment) {
    var json = JSON.createObjectNode();
    new TreeMap<>(environment).forEach(json::put);
    return json.toString();
  }

  private static Map<String, String> map(String json) {
    try {
      var map = new TreeMap<String, String>();
      JSON.readTree(json)
          .properties()
          .forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
      return map;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("What we seal is JSON", e);
    }
  }
}
