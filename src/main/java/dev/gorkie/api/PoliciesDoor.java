package dev.gorkie.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.tokens.Scope;
import dev.gorkie.workbench.Policies;
import dev.gorkie.workbench.Policy;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;

/// What the sandboxes of tenants are held to, for whoever looks after them.
@Path("/v1/sandbox/policies")
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
class PoliciesDoor {

  static final Shape SHAPE =
      Shape.of(
          Field.form(
                  "network",
                  "none|[A-Za-z0-9*.-]+(/[0-9]{1,2})?(,[A-Za-z0-9*.-]+(/[0-9]{1,2})?)*",
                  "What sandboxes may reach, those that are there from the next operation on: none, or names and IPv4 blocks"
                      + " with commas between them, no more than the operator lets all reach.")
              .upTo(2_000)
              .optional(),
          Field.number("memory_mb", 64, 65_536, "So many MiB a program may take.").optional(),
          Field.number("timeout", 1, 600, "So many seconds a program may take.").optional(),
          Field.list(
                  "runtimes",
                  Names.LANGUAGES,
                  "The languages that are meant to be used; others are advised against, and run.")
              .optional(),
          Field.map(
                  "environment",
                  "(?!GORKIE_)[A-Za-z_][A-Za-z0-9_]{0,63}",
                  64,
                  "What programs find in their environment. It is sealed where it is kept, and nobody reads it here again.")
              .optional());

  private final Doorkeeper keeper;
  private final Policies policies;

  @Inject
  PoliciesDoor(Doorkeeper keeper, Policies policies) {
    this.keeper = keeper;
    this.policies = policies;
  }

  @GET
  @Path("/{tenant}")
  public Response policies(@Context HttpHeaders headers, @PathParam("tenant") String tenant)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.ADMIN,
        _ -> {
          Names.mustBeTenant(tenant);
          return Answers.policies(policies.of(tenant));
        });
  }

  @GET
  @Path("/{tenant}/{name}")
  public Response policy(
      @Context HttpHeaders headers,
      @PathParam("tenant") String tenant,
      @PathParam("name") String name)
      throws InterruptedException {
    return answered(
        headers,
        tenant,
        name,
        () ->
            Answers.json(
                200,
                Answers.policy(
                    policies
                        .find(tenant, name)
                        .orElseThrow(
                            () ->
                                new Refused(
                                    Problem.unknown("There is no policy of this name."))))));
  }

  @PUT
  @Path("/{tenant}/{name}")
  public Response put(
      @Context HttpHeaders headers,
      @PathParam("tenant") String tenant,
      @PathParam("name") String name,
      byte[] body)
      throws InterruptedException {
    return answered(headers, tenant, name, () -> put(tenant, name, body));
  }

  private Response put(String tenant, String name, byte[] body) {
    SandboxDoor.mustFit(body);
    var policy = policy(tenant, name, SHAPE.read(body));
    return switch (policies.put(policy)) {
      case YES -> Answers.json(200, Answers.policy(policy));
      case TOO_WIDE ->
          Problem.wrong(
                  "too_wide",
                  "The operator's own setting lets sandboxes reach less than this network.")
              .response();
      case NO_KEY ->
          new Problem(
                  503,
                  "no_key",
                  "An environment can't be kept here",
                  "There is nothing to seal it with. The operator can set GORKIE_TOKEN_KEY.")
              .response();
      case TOO_MANY ->
          Problem.wrong(
                  "too_many", "A tenant may have %d policies.".formatted(Policies.OF_TENANT_MAX))
              .response();
    };
  }

  /// Asked twice, it is the same.
  @DELETE
  @Path("/{tenant}/{name}")
  public Response remove(
      @Context HttpHeaders headers,
      @PathParam("tenant") String tenant,
      @PathParam("name") String name)
      throws InterruptedException {
    return answered(
        headers,
        tenant,
        name,
        () -> {
          policies.remove(tenant, name);
          return Response.noContent().build();
        });
  }

  private Response answered(
      HttpHeaders headers, String tenant, String name, Supplier<Response> answering)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.ADMIN,
        _ -> {
          Names.mustBeTenant(tenant);
          Names.mustBePolicy(name);
          return answering.get();
        });
  }

  private static Policy policy(String tenant, String name, ObjectNode read) {
    var runtimes = new ArrayList<String>();
    read.path("runtimes").forEach(runtime -> runtimes.add(runtime.asText()));
    var environment = new TreeMap<String, String>();
    read.path("environment")
        .properties()
        .forEach(entry -> environment.put(entry.getKey(), entry.getValue().asText()));
    return new Policy(
        tenant,
        name,
        Optional.ofNullable(read.get("network")).map(it -> it.asText()),
        number(read, "memory_mb"),
        number(read, "timeout"),
        List.copyOf(runtimes),
        environment);
  }

  private static OptionalInt number(ObjectNode read, String name) {
    return read.has(name) ? OptionalInt.of(read.path(name).asInt()) : OptionalInt.empty();
  }
}
