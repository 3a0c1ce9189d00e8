package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.daytona.ControlPlane.Labels;
import dev.gorkie.daytona.ControlPlane.Machine;
import dev.gorkie.daytona.ControlPlane.NetworkSettings;
import dev.gorkie.daytona.ControlPlane.Secrets;
import dev.gorkie.sandbox.Sandboxes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/// What every machine is held to: what it may reach, and the secrets that stand in for keys. A machine that was made under
/// other settings comes to these when it wakes up.
final class Terms {

  private static final Logger LOG = Logger.getLogger(Terms.class);

  private static final Duration CALL_MOST = Duration.ofSeconds(10);
  // Daytona does not say of a machine which secrets it has, so we write it on it ourselves.
  private static final String LABEL = "secret";
  private static final String OTHERS = "secrets";

  private final Daytona daytona;
  private final Network network;
  private final Optional<String> secret;
  private final String variable;
  // Those that the operator names, as they are written.
  private final Optional<String> others;

  Terms(Daytona daytona) {
    this.daytona = daytona;
    this.network = Network.of(daytona.settings().network());
    this.secret = daytona.settings().secret();
    this.variable = daytona.settings().secretVariable();
    this.others = daytona.settings().secrets();
  }

  /// What machines may reach of which nothing else is said.
  Network network() {
    return network;
  }

  /// What a machine with these labels may reach: no more than all, also where its label is older than the setting.
  Network network(Map<String, String> labels) {
    var own = labels.get(Sandboxes.NETWORK);
    return own == null ? network : Network.of(own).and(network);
  }

  List<Map<String, String>> secrets() {
    var all = new ArrayList<Map<String, String>>();
    secret.ifPresent(name -> all.add(Map.of(variable, name)));
    for (var one : others.map(it -> it.split(",")).orElse(new String[0])) {
      var named = one.split("=", 2);
      all.add(Map.of(named[0], named[1]));
    }
    return all;
  }

  Map<String, String> labels(Map<String, String> own) {
    var labels = new HashMap<>(own);
    secret.ifPresent(name -> labels.put(LABEL, name));
    others.ifPresentOrElse(names -> labels.put(OTHERS, names), () -> labels.remove(OTHERS));
    return labels;
  }

  /// Such a machine must be stopped, and gets it before it starts: what runs never sees a secret that came later.
  boolean lacksSecret(Machine machine) {
    var labels = machine.labels().orElse(Map.of());
    return secret.isPresent() && !secret.equals(Optional.ofNullable(labels.get(LABEL)))
        || !others.equals(Optional.ofNullable(labels.get(OTHERS)));
  }

  /// Before it is started.
  void apply(Machine machine, Deadline deadline) throws InterruptedException {
    if (lacksSecret(machine)) {
      attachSecret(machine, deadline);
    }
    var wanted = network(machine.labels().orElse(Map.of()));
    if (!wanted.equals(machine.network())) {
      applyNetwork(machine, wanted, deadline);
    }
  }

  /// Of one that runs. The label comes last: whoever does not find it does both again.
  void limit(Machine machine, Optional<String> own, Deadline deadline) throws InterruptedException {
    var id = machine.id();
    var labels = new HashMap<>(machine.labels().orElse(Map.of()));
    own.ifPresentOrElse(
        it -> labels.put(Sandboxes.NETWORK, it), () -> labels.remove(Sandboxes.NETWORK));
    applyNetwork(machine, network(labels), deadline);
    ask(Calls.of(() -> daytona.controlPlane().setLabels(id, new Labels(labels))), deadline)
        .orThrow("label " + id);
  }

  /// The label comes last: whoever does not find it does both again.
  private void attachSecret(Machine machine, Deadline deadline) throws InterruptedException {
    var id = machine.id();
    LOG.infof("sandbox %s gets the secret", id);
    ask(Calls.of(() -> daytona.controlPlane().setSecrets(id, new Secrets(secrets()))), deadline)
        .orThrow("give " + id + " its secret");
    var labels = labels(machine.labels().orElse(Map.of()));
    ask(Calls.of(() -> daytona.controlPlane().setLabels(id, new Labels(labels))), deadline)
        .orThrow("label " + id);
  }

  private void applyNetwork(Machine machine, Network wanted, Deadline deadline)
      throws InterruptedException {
    var id = machine.id();
    LOG.infof("sandbox %s gets another network policy", id);
    var settings =
        new NetworkSettings(
            wanted.isClosed(), wanted.addressList().orElse(""), wanted.domainList().orElse(""));
    var answer = ask(Calls.of(() -> daytona.controlPlane().setNetwork(id, settings)), deadline);
    if (wanted.isOpen() && !(answer instanceof Answer.Given)) {
      // It may reach less than it could, which breaks no promise.
      LOG.warnf("sandbox %s keeps its network policy", id);
      return;
    }
    answer.orThrow("limit the network of " + id);
  }

  private Answer<Void> ask(Calls.Attempt<Void> call, Deadline deadline)
      throws InterruptedException {
    return daytona.calls().repeatable(call, CALL_MOST, deadline);
  }
}
