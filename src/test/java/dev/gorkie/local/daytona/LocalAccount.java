package dev.gorkie.local.daytona;

import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.Routes;
import java.util.List;

/// The organization that all sandboxes are of, and the one key it has.
final class LocalAccount {

  private static final String ID = "local";
  private static final int PLENTY = 100;
  static final List<String> ALL_RIGHTS =
      List.of("write:sandboxes", "delete:sandboxes", "write:snapshots", "manage:secrets");

  private record Facts(List<String> rights, boolean suspended, boolean limited) {}

  private volatile Facts facts = new Facts(ALL_RIGHTS, false, false);

  void set(List<String> rights, boolean suspended, boolean limited) {
    facts = new Facts(List.copyOf(rights), suspended, limited);
  }

  void addTo(Routes routes) {
    routes
        .on("GET", "/api-keys/current", (_, _) -> key())
        .on("GET", "/organizations/{id}", (_, parts) -> organization(parts))
        .on("GET", "/organizations/{id}/usage", (_, parts) -> usage(parts));
  }

  private Answer key() {
    var key = Json.object();
    key.put("name", "of the world").put("value", "dtn_***").put("userId", "somebody");
    var permissions = key.putArray("permissions");
    facts.rights().forEach(permissions::add);
    return Answer.json(200, key);
  }

  private Answer organization(Routes.Parts parts) {
    mustBeOurs(parts);
    var organization = Json.object();
    organization.put("id", ID).put("name", "the laptop's");
    organization.put("suspended", facts.suspended());
    organization.put("suspensionReason", facts.suspended() ? "the wallet is empty" : null);
    organization.put("sandboxLimitedNetworkEgress", facts.limited());
    return Answer.json(200, organization);
  }

  private static Answer usage(Routes.Parts parts) {
    mustBeOurs(parts);
    var usage = Json.object();
    var region = usage.putArray("regionUsage").addObject();
    region.put("regionId", "local").put("sandboxClass", "container");
    for (var what : List.of("Cpu", "Memory", "Disk")) {
      region.put("total" + what + "Quota", PLENTY).put("current" + what + "Usage", 0);
    }
    return Answer.json(200, usage);
  }

  private static void mustBeOurs(Routes.Parts parts) {
    if (!parts.of("id").equals(ID)) {
      throw new Refused(404, "Organization not found");
    }
  }
}
