package dev.gorkie.api;

import dev.gorkie.logbook.Trail;
import dev.gorkie.logbook.Trail.Mark;
import dev.gorkie.settings.Role;
import dev.gorkie.tokens.Bearer;
import dev.gorkie.tokens.Scope;
import dev.gorkie.tokens.Tokens;
import dev.gorkie.tokens.Verdict;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// Lets in whoever has a good token for what he wants, and tells everybody else why not.
@ApplicationScoped
class Doorkeeper {

  private static final Logger LOG = Logger.getLogger(Doorkeeper.class);

  // A database that is away is back in some seconds.
  private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

  private final Tokens tokens;
  private final Role role;
  private final Instance<com.amazonaws.services.lambda.runtime.Context> invocation;

  @Inject
  Doorkeeper(
      Tokens tokens,
      Role role,
      Instance<com.amazonaws.services.lambda.runtime.Context> invocation) {
    this.tokens = tokens;
    this.role = role;
    this.invocation = invocation;
  }

  /// What is done for whoever was let in.
  @FunctionalInterface
  interface Answering {
    Response to(Bearer bearer) throws InterruptedException;
  }

  Response answered(HttpHeaders headers, Scope scope, Answering answering)
      throws InterruptedException {
    return answered(headers, Set.of(scope), answering);
  }

  /// @param anyOf the scopes of which one is enough
  Response answered(HttpHeaders headers, Set<Scope> anyOf, Answering answering)
      throws InterruptedException {
    if (!role.hearsPrograms()) {
      return Response.status(404).build();
    }
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.REQUEST, request());
      return switch (tokens.check(header(headers, HttpHeaders.AUTHORIZATION), anyOf)) {
        case Verdict.Good(var bearer) -> answering.to(bearer);
        case Verdict.Unknown() -> {
          LOG.info("Refused a call without a good token");
          yield new Problem(
                  401,
                  "unauthorized",
                  "Who are you?",
                  "Expected: Authorization: Bearer and a token that “make token” printed and that is still good.")
              .response();
        }
        case Verdict.NotForThis(var lacking) ->
            new Problem(
                    403,
                    "forbidden",
                    "Not with this token",
                    "It takes the scope %s.".formatted(told(lacking)))
                .response();
        case Verdict.TooOften(var pause) ->
            new Problem(
                    429,
                    "too_often",
                    "Too often",
                    "This token is used too often. Wait a moment.",
                    Optional.of(pause))
                .response();
      };
    } catch (Refused refused) {
      return refused.problem().response();
    } catch (RuntimeException e) {
      LOG.error("A call came to nothing", e);
      return new Problem(
              500,
              "failed",
              "Something failed here",
              "What was accepted is carried out. Ask again in a moment, under the same Idempotency-Key where there was one.",
              Optional.of(TRY_AGAIN))
          .response();
    }
  }

  static String told(Set<Scope> anyOf) {
    return anyOf.stream().map(Scope::wire).sorted().collect(Collectors.joining(" or "));
  }

  /// Lambda's own number, by which the line that it writes of an invocation is found, too.
  private String request() {
    return invocation.isResolvable()
        ? invocation.get().getAwsRequestId()
        : UUID.randomUUID().toString();
  }

  static String header(HttpHeaders headers, String name) {
    var value = headers.getHeaderString(name);
    return value == null ? "" : value;
  }
}
