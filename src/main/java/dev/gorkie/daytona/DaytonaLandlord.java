package dev.gorkie.daytona;

import static dev.gorkie.sandbox.Finding.bad;
import static dev.gorkie.sandbox.Finding.good;
import static dev.gorkie.sandbox.Finding.note;

import dev.gorkie.Deadline;
import dev.gorkie.daytona.Account.Image;
import dev.gorkie.daytona.Account.Organization;
import dev.gorkie.daytona.Account.Region;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Lost;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.sandbox.Finding;
import dev.gorkie.sandbox.Landlord;
import dev.gorkie.sandbox.SandboxId;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Daytona, looked over.
@ApplicationScoped
class DaytonaLandlord implements Landlord {

  private static final Duration CALL_MOST = Duration.ofSeconds(10);
  private static final Duration ASKING_MOST = Duration.ofSeconds(25);
  // Whoever probes has given up after ten.
  private static final Duration PROBE_MOST = Duration.ofSeconds(3);
  private static final List<String> RIGHTS = List.of("write:sandboxes", "delete:sandboxes");
  private static final String RIGHT_TO_ACTIVATE = "write:snapshots";
  private static final int PAGE_MAX = 200;

  private final Daytona daytona;

  DaytonaLandlord(Daytona daytona) {
    this.daytona = daytona;
  }

  @Override
  public List<Finding> examine(Optional<String> image, String modelHost)
      throws InterruptedException {
    var findings = new ArrayList<Finding>();
    findings.add(address());
    if (!isNotBad(findings)) {
      return findings;
    }
    findings.add(key());
    if (!isNotBad(findings)) {
      return findings;
    }
    var snapshot = ask(account -> account.image(daytona.settings().snapshot().orElse("")));
    findings.add(snapshot(snapshot, image));
    if (snapshot instanceof Given(var found)) {
      findings.addAll(organization(found, modelHost));
    }
    findings.add(network(modelHost));
    findings.add(secret(modelHost));
    return findings;
  }

  @Override
  public Finding answers() throws InterruptedException {
    return answer(ask(PROBE_MOST, Account::config));
  }

  private static boolean isNotBad(List<Finding> findings) {
    return findings.stream().noneMatch(one -> one.weight() == Finding.Weight.BAD);
  }

  private Finding address() throws InterruptedException {
    return answer(ask(Account::config));
  }

  private Finding answer(Answer<Account.Config> answer) {
    var url = daytona.settings().apiUrl();
    return switch (answer) {
      case Given(var config) ->
          good("Daytona answers at %s, version %s.", url, config.version().orElse("unknown"));
      case Refused(var refusal) ->
          bad(
              "What answers at %s is no Daytona, or it is ill: %d. Check DAYTONA_API_URL.",
              url, refusal.status());
      case Lost(_, var reason) -> bad("Nobody answers at %s: %s.", url, reason);
    };
  }

  private Finding key() throws InterruptedException {
    return switch (ask(Account::key)) {
      case Given(var key) -> rights(key.permissions().orElse(List.of()));
      case Refused(var refusal) when refusal.status() == 401 ->
          bad("Daytona refuses the key. Check DAYTONA_API_KEY.");
      case Refused(var refusal) -> note("What the key may do can't be seen: %d.", refusal.status());
      case Lost(_, var reason) -> note("What the key may do can't be seen: %s.", reason);
    };
  }

  private static Finding rights(List<String> rights) {
    var missing = RIGHTS.stream().filter(right -> !rights.contains(right)).toList();
    if (!missing.isEmpty()) {
      return bad(
          "The key lacks the right %s. Make one that has it, and set DAYTONA_API_KEY to it.",
          String.join(" and ", missing));
    }
    return rights.contains(RIGHT_TO_ACTIVATE)
        ? good("The key may create and delete sandboxes, and activate their snapshot.")
        : note(
            "The key may create and delete sandboxes, but lacks the right %s: a snapshot that nobody used for two weeks must"
                + " be activated by hand.",
            RIGHT_TO_ACTIVATE);
  }

  private static Finding snapshot(Answer<Image> answer, Optional<String> expected) {
    return switch (answer) {
      case Given(var image) when !List.of("active", "inactive").contains(image.state()) ->
          bad(
              "Snapshot %s is %s. “make snapshot” builds it, and waits for it.",
              image.name(), image.state());
      case Given(var image) when expected.filter(name -> !name.equals(image.name())).isPresent() ->
          note(
              "Snapshot %s is not the one of this version, %s. “make snapshot” builds that one; then set DAYTONA_SNAPSHOT.",
              image.name(), expected.get());
      case Given(var image) when image.state().equals("inactive") ->
          note(
              "Snapshot %s is inactive; the first sandbox activates it, which takes a while.",
              image.name());
      case Given(var image) ->
          good(
              "Snapshot %s is active: %.0f vCPU, %.0f GiB of memory, %.0f GiB of disk.",
              image.name(), image.cpu(), image.mem(), image.disk());
      case Refused(var refusal) when refusal.status() == 404 ->
          bad("There is no snapshot of that name. “make snapshot” builds it and prints its name.");
      case Refused(var refusal) ->
          bad("The snapshot can't be looked at: %d %s.", refusal.status(), refusal.message());
      case Lost(_, var reason) -> bad("The snapshot can't be looked at: %s.", reason);
    };
  }

  private List<Finding> organization(Image snapshot, String modelHost) throws InterruptedException {
    var findings = new ArrayList<Finding>();
    var id = snapshot.organizationId();
    switch (ask(account -> account.organization(id))) {
      case Given(var organization) -> findings.addAll(organization(organization, modelHost));
      case Refused(var refusal) ->
          findings.add(note("The organization can't be seen with this key: %d.", refusal.status()));
      case Lost(_, var reason) -> findings.add(note("The organization can't be seen: %s.", reason));
    }
    switch (ask(account -> account.usage(id))) {
      case Given(var usage) ->
          usage.regionUsage().orElse(List.of()).forEach(one -> findings.add(room(one, snapshot)));
      case Refused(var refusal) ->
          findings.add(note("The quota can't be seen with this key: %d.", refusal.status()));
      case Lost(_, var reason) -> findings.add(note("The quota can't be seen: %s.", reason));
    }
    return findings;
  }

  private static List<Finding> organization(Organization organization, String modelHost) {
    var name = organization.name().orElse("without a name");
    if (organization.suspended()) {
      return List.of(
          bad(
              "Organization %s is suspended: %s.",
              name, organization.suspensionReason().orElse("no reason is given")));
    }
    return List.of(
        organization.sandboxLimitedNetworkEgress()
            ? note(
                "Organization %s is of a tier whose sandboxes reach only a list of services. Whether %s is among them"
                    + " shows below.",
                name, modelHost)
            : good("Organization %s may reach the whole network.", name));
  }

  private static Finding room(Region region, Image snapshot) {
    var more =
        (int)
            Math.min(
                fitting(region.totalCpuQuota() - region.currentCpuUsage(), snapshot.cpu()),
                Math.min(
                    fitting(
                        region.totalMemoryQuota() - region.currentMemoryUsage(), snapshot.mem()),
                    fitting(region.totalDiskQuota() - region.currentDiskUsage(), snapshot.disk())));
    return more > 0
        ? good("In region %s there is room for %d more sandboxes.", region.regionId(), more)
        : note(
            "In region %s there is no room for another sandbox; one that sleeps is put away for it, else its thread waits.",
            region.regionId());
  }

  private static double fitting(double left, double each) {
    return each <= 0 ? Integer.MAX_VALUE : Math.floor(Math.max(0, left) / each);
  }

  private Finding network(String modelHost) {
    var network = daytona.terms().network();
    if (network.isOpen()) {
      return good("Sandboxes may reach whatever the account allows (DAYTONA_NETWORK=open).");
    }
    return network.names(modelHost)
        ? good("Sandboxes may reach what DAYTONA_NETWORK lists, the model's host among it.")
        : bad(
            "DAYTONA_NETWORK does not list %s, the model's host: no sandbox could ask the model.",
            modelHost);
  }

  private Finding secret(String modelHost) throws InterruptedException {
    var name = daytona.settings().secret();
    if (name.isEmpty()) {
      return note(
          "The model's key is handed to each sandbox when Pi starts there. “make secret” keeps it at Daytona instead.");
    }
    return switch (ask(account -> account.secrets(name.get(), PAGE_MAX))) {
      case Given(var page) ->
          page.items().stream()
              .filter(secret -> secret.name().equals(name.get()))
              .findFirst()
              .map(secret -> hosts(secret, modelHost))
              .orElseGet(() -> bad("There is no secret %s. “make secret” makes it.", name.get()));
      case Refused(var refusal) ->
          note("Whether there is a secret %s can't be seen: %d.", name.get(), refusal.status());
      case Lost(_, var reason) ->
          note("Whether there is a secret %s can't be seen: %s.", name.get(), reason);
    };
  }

  private static Finding hosts(Account.Secret secret, String modelHost) {
    return secret.hosts().orElse(List.of()).contains(modelHost)
        ? good("Secret %s goes to %s alone.", secret.name(), modelHost)
        : bad(
            "Secret %s is not meant for %s, the model's host. “make secret” changes that.",
            secret.name(), modelHost);
  }

  @Override
  public void giveBack(SandboxId id) throws InterruptedException {
    var answer = ask(account -> account.delete(id.value()));
    if (!(answer instanceof Refused<?>(var refusal) && refusal.status() == 404)) {
      answer.orThrow("delete " + id);
    }
  }

  private <T> Answer<T> ask(Function<Account, Uni<T>> call) throws InterruptedException {
    return ask(ASKING_MOST, call);
  }

  private <T> Answer<T> ask(Duration most, Function<Account, Uni<T>> call)
      throws InterruptedException {
    return daytona
        .calls()
        .repeatable(Calls.of(() -> call.apply(daytona.account())), CALL_MOST, Deadline.in(most));
  }
}
