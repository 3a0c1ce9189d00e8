package dev.gorkie.pi;

import static dev.gorkie.sandbox.Finding.bad;
import static dev.gorkie.sandbox.Finding.good;
import static dev.gorkie.sandbox.Finding.note;

import dev.gorkie.sandbox.Finding;
import dev.gorkie.sandbox.Sandbox;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A look into a machine that nobody uses yet: whether Pi could work there.
final class Trial {

  private static final Duration COMMAND_MOST = Duration.ofSeconds(30);
  private static final String IMAGE = "cat \"$GORKIE/image\"";

  // Only what stands for a key is ever in that variable, so this goes where it may be read back.
  private static final String ASK_MODEL =
      """
      NODE_USE_ENV_PROXY=1 "$GORKIE/bin/node" -e '
        const key = process.env.GORKIE_MODEL_KEY;
        const headers = key ? { authorization: `Bearer ${key}` } : {};
        fetch(process.argv[1], { headers, signal: AbortSignal.timeout(20_000) }).then(
          (answer) => { console.log(answer.status); process.exit(0); },
          (error) => { console.log(error.cause?.code ?? error.message); process.exit(1); })
      ' '%s'
      """;

  private final Sandbox sandbox;
  private final URI model;
  private final boolean hasSecret;

  Trial(Sandbox sandbox, URI model, boolean hasSecret) {
    this.sandbox = sandbox;
    this.model = model;
    this.hasSecret = hasSecret;
  }

  List<Finding> findings() {
    return List.of(image(), model());
  }

  private Finding image() {
    var read = sandbox.execute(IMAGE, COMMAND_MOST);
    var hash = read.output().strip();
    if (read.exitCode() != 0) {
      return bad(
          "The snapshot does not hold Gorkie's image. Set DAYTONA_SNAPSHOT to what “make snapshot” prints.");
    }
    return sandbox.image().equals(Optional.of("gorkie-" + hash))
        ? good("The sandbox holds what its snapshot's name says.")
        : note(
            "The snapshot is called %s and holds the image %s.",
            sandbox.image().orElse("nothing"), hash);
  }

  private Finding model() {
    var url = (model + "/models").replaceAll("(?<!:)//+", "/").replace("'", "%27");
    var asked = sandbox.execute(ASK_MODEL.formatted(url), COMMAND_MOST);
    var said = asked.output().strip();
    if (asked.exitCode() != 0) {
      return bad(
          "A sandbox does not reach the model at %s: %s. An account of tier 1 or 2 reaches only a list of services, and"
              + " DAYTONA_NETWORK may limit it further.",
          model.getHost(), said);
    }
    if (hasSecret && (said.equals("401") || said.equals("403"))) {
      return bad(
          "The model's provider refuses the key in the secret: %s. “make secret” puts another one there.",
          said);
    }
    return good("A sandbox reaches the model at %s.", model.getHost());
  }
}
