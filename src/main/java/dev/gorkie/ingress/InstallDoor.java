package dev.gorkie.ingress;

import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.settings.Role;
import dev.gorkie.slack.Consent;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import java.util.Set;

/// Where a person lets Gorkie into a workspace: sent to Slack's page, and back with its word. Like Slack's own requests, what comes
/// back is carried on and nothing is done with it here.
@Path("/slack")
@RunOnVirtualThread
class InstallDoor {

  private static final String COOKIE = "gorkie_install";
  private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost");

  private static final String NOT_OFFERED =
      "This Gorkie works for one workspace only. Whoever runs it can set SLACK_CLIENT_ID to change that.";
  private static final String REFUSED =
      "Nothing was installed, since Slack was told no. You can try again.";
  private static final String NOT_OURS =
      "Nothing was installed: this took longer than ten minutes, or it was begun in another browser. Please try again.";
  private static final String BUSY = "Nothing was installed, since I am busy. Please try again.";
  private static final String DONE =
      "Slack has told me that I may come in. In a moment I write to you in Slack; if I do not, try again.";

  private final Consent consent;
  private final Handoff handoff;
  private final Role role;
  private final Leaving leaving;

  @Inject
  InstallDoor(Consent consent, Handoff handoff, Role role, Leaving leaving) {
    this.consent = consent;
    this.handoff = handoff;
    this.role = role;
    this.leaving = leaving;
  }

  @GET
  @Path("/install")
  public Response install(@Context UriInfo here) {
    var begun = role.hearsSlack() ? consent.begin() : Optional.<Consent.Begun>empty();
    return begun
        .map(
            it ->
                Response.status(302)
                    .location(it.page())
                    .cookie(cookie(it.secret(), here))
                    .header("Cache-Control", "no-store")
                    .build())
        .orElseGet(() -> page(404, NOT_OFFERED, false));
  }

  private static NewCookie cookie(String secret, UriInfo here) {
    return new NewCookie.Builder(COOKIE)
        .value(secret)
        .path("/slack")
        .maxAge((int) Consent.LASTS.toSeconds())
        .httpOnly(true)
        // Slack sends the browser back by a link.
        .sameSite(NewCookie.SameSite.LAX)
        .secure(!THIS_MACHINE.contains(here.getRequestUri().getHost()))
        .build();
  }

  @GET
  @Path("/oauth")
  public Response back(
      @QueryParam("code") @DefaultValue("") String code,
      @QueryParam("state") @DefaultValue("") String state,
      @QueryParam("error") @DefaultValue("") String error,
      @CookieParam(COOKIE) @DefaultValue("") String secret) {
    if (!role.hearsSlack()) {
      return page(404, NOT_OFFERED, false);
    }
    if (!error.isEmpty()) {
      return page(200, REFUSED, true);
    }
    var agreed = consent.agreed(code, state, secret);
    if (agreed.isEmpty()) {
      return page(400, NOT_OURS, true);
    }
    return !leaving.hasBegun() && handoff.carry(new Delivery(agreed.get()))
        ? page(200, DONE, true)
        : page(503, BUSY, true);
  }

  private static Response page(int status, String sentence, boolean again) {
    var link = again ? "<p><a href=\"/slack/install\">Install Gorkie</a></p>" : "";
    return Response.status(status)
        .type("text/html;charset=utf-8")
        .header("Cache-Control", "no-store")
        .header("Content-Security-Policy", "default-src 'none'")
        .header("Referrer-Policy", "no-referrer")
        .entity(
            "<!doctype html><meta charset=\"utf-8\"><title>Gorkie</title><p>"
                + sentence
                + "</p>"
                + link)
        .build();
  }
}
