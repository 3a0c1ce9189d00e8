package dev.gorkie.settings;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.aws.AwsJson;
import dev.gorkie.aws.AwsSignature;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Secrets that the environment only names: `ssm:/gorkie/DATABASE_URL` stands for what AWS's parameter store holds under that
/// name. Whoever may look at a function's configuration sees the name alone.
public final class Secrets {

  private static final String NAMED = "ssm:";
  private static final String REGION = "AWS_REGION";
  private static final ObjectMapper JSON = new ObjectMapper();

  // What one call takes.
  private static final int NAMES_MAX = 10;

  // Whether `main` asks first or the configuration, which a runtime with a main of its own reads
  // without ours.
  private static final Map<String, String> READ = new ConcurrentHashMap<>();

  private Secrets() {}

  /// The same environment with what it names put in.
  ///
  /// @throws Unreadable with a sentence for whoever has to mend it
  public static Function<String, Optional<String>> putInto(
      Function<String, Optional<String>> environment) {
    var missing = new TreeSet<String>();
    for (var setting : Setting.ALL) {
      named(environment.apply(setting.name())).ifPresent(missing::add);
    }
    missing.removeAll(READ.keySet());
    if (!missing.isEmpty()) {
      read(List.copyOf(missing), environment);
    }
    return name -> {
      var value = environment.apply(name);
      return named(value).map(READ::get).or(() -> value);
    };
  }

  /// The parameter that stands for a value.
  static Optional<String> named(Optional<String> value) {
    return value.filter(it -> it.startsWith(NAMED)).map(it -> it.substring(NAMED.length()));
  }

  private static void read(List<String> names, Function<String, Optional<String>> environment) {
    var region = environment.apply(REGION).orElse("us-east-1");
    var store =
        new AwsJson(
            environment
                .apply("AWS_ENDPOINT_URL_SSM")
                .map(URI::create)
                .orElseGet(() -> URI.create("https://ssm." + region + ".amazonaws.com")),
            new AwsSignature(
                environment.apply("AWS_ACCESS_KEY_ID").orElse(""),
                environment.apply("AWS_SECRET_ACCESS_KEY").orElse(""),
                environment.apply("AWS_SESSION_TOKEN"),
                region,
                "ssm"),
            "application/x-amz-json-1.1",
            InstantSource.system());
    for (var from = 0; from < names.size(); from += NAMES_MAX) {
      var some = names.subList(from, Math.min(names.size(), from + NAMES_MAX));
      READ.putAll(parameters(store, some));
      var absent = new ArrayList<>(some);
      absent.removeAll(READ.keySet());
      if (!absent.isEmpty()) {
        throw new Unreadable(
            "AWS's parameter store in %s has no %s. Expected: a SecureString of that name; “make deploy STEP=secrets” puts it there."
                .formatted(region, String.join(", ", absent)));
      }
    }
  }

  private static Map<String, String> parameters(AwsJson store, List<String> names) {
    var request = JSON.createObjectNode().put("WithDecryption", true);
    names.forEach(request.putArray("Names")::add);
    try {
      var answer =
          JSON.readTree(store.callInsistently("AmazonSSM.GetParameters", request.toString()));
      var found = new ConcurrentHashMap<String, String>();
      for (var parameter : answer.path("Parameters")) {
        found.put(parameter.path("Name").asText(), parameter.path("Value").asText());
      }
      return found;
    } catch (IOException refused) {
      throw new Unreadable(
          "The secrets could not be read from AWS's parameter store: %s. Expected: an answer, and the right ssm:GetParameters for %s."
              .formatted(refused.getMessage(), String.join(", ", names)));
    }
  }

  /// Nobody can start without them.
  public static final class Unreadable extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Unreadable(String sentence) {
      super(sentence);
    }
  }
}
