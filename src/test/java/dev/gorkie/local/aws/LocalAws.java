package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Call;
import dev.gorkie.local.wire.Door;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// AWS on a loopback port: one endpoint for Lambda and the parameter store, one more for each gateway.
public final class LocalAws implements AutoCloseable {

  /// Port 0 is any. Waits of minutes and hours are divided by `hurry`.
  public record Settings(int port, String region, Credentials credentials, double hurry) {}

  static final String ACCOUNT = "000000000000";

  // Each instance has a runtime endpoint of its own, told apart by the path.
  private static final Pattern RUNTIME =
      Pattern.compile("/runtime/([^/]+)/([^/]+)/2018-06-01/runtime(/.+)");

  private final Settings settings;
  private final Signature signature;
  private final Map<String, LambdaFunction> functions = new ConcurrentHashMap<>();
  private final List<Gateway> gateways = new CopyOnWriteArrayList<>();
  private final InvokeApi invokeApi = new InvokeApi(functions);
  private final Parameters parameters = new Parameters();
  private final KeyStore keys = new KeyStore();
  private final Rules rules = new Rules();
  private final Queues queues;
  private final Door door;
  private final Thread lastWill = new Thread(this::endFunctions);

  private LocalAws(Settings settings) {
    this.settings = settings;
    this.queues = new Queues(functions, settings.hurry());
    this.signature = new Signature(settings.credentials(), settings.region());
    this.door = Door.open(settings.port(), this::answer);
    Runtime.getRuntime().addShutdownHook(lastWill);
  }

  public static LocalAws start(Settings settings) {
    return new LocalAws(settings);
  }

  public URI url() {
    return door.url();
  }

  /// Deploys a function, in the place of one of the same name.
  public LambdaFunction deploy(FunctionSettings function) {
    var arn =
        "arn:aws:lambda:%s:%s:function:%s".formatted(settings.region(), ACCOUNT, function.name());
    var deployed = new LambdaFunction(function, arn, settings.hurry(), this::starter);
    Optional.ofNullable(functions.put(function.name(), deployed)).ifPresent(LambdaFunction::close);
    deployed.provision();
    return deployed;
  }

  /// An HTTP API in front of functions; routes are written as `POST /slack/events`.
  public Gateway gateway(int port, Map<String, LambdaFunction> routes, Gateway.Bodies bodies) {
    var gateway = Gateway.open(port, routes, bodies);
    gateways.add(gateway);
    return gateway;
  }

  /// A rule that invokes the function so often while it is enabled. It begins disabled.
  public void rule(String name, LambdaFunction function, String input, Duration every) {
    rules.put(name, function, input, every);
  }

  /// When a rule goes off, as it was told last.
  public String expression(String rule) {
    return rules.expression(rule);
  }

  public boolean isEnabled(String rule) {
    return rules.isEnabled(rule);
  }

  /// The queue in which a function's failed invocations end.
  public String failureQueueUrl(String function) {
    return url().resolve("/" + ACCOUNT + "/" + function + Queues.SUFFIX).toString();
  }

  public Parameters parameters() {
    return parameters;
  }

  public KeyStore keys() {
    return keys;
  }

  /// One fault for each of the next asynchronous invocations.
  public void fail(Fault... faults) {
    invokeApi.faults().addAll(List.of(faults));
  }

  public List<Invoked> invoked() {
    return invokeApi.invoked().all();
  }

  /// Of the asynchronous ones those that were not refused.
  public List<Accepted> accepted() {
    return invokeApi.accepted().all();
  }

  public Invoked awaitInvoked(Predicate<Invoked> wanted, Duration most)
      throws InterruptedException {
    return invokeApi.invoked().await(wanted, most);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(lastWill);
    } catch (IllegalStateException _) {
      // This machine is shutting down, and the hook runs anyway.
    }
    rules.close();
    gateways.forEach(Gateway::close);
    endFunctions();
    door.close();
  }

  private void endFunctions() {
    functions.values().forEach(LambdaFunction::close);
  }

  private void answer(Call call) throws InterruptedException {
    var runtime = RUNTIME.matcher(call.path());
    if (runtime.matches()) {
      answerRuntime(call, runtime.group(1), runtime.group(2), runtime.group(3));
    } else if (invokeApi.isMeant(call)) {
      if (isSigned(call, "lambda")) {
        invokeApi.answer(call);
      }
    } else if (parameters.isMeant(call)) {
      if (isSigned(call, "ssm")) {
        parameters.answer(call);
      }
    } else if (keys.isMeant(call)) {
      if (isSigned(call, "kms")) {
        keys.answer(call);
      }
    } else if (rules.isMeant(call)) {
      if (isSigned(call, "events")) {
        rules.answer(call);
      }
    } else if (queues.isMeant(call)) {
      if (isSigned(call, "sqs")) {
        queues.answer(call);
      }
    } else {
      AwsError.notFound(call.path()).answer(call);
    }
  }

  private boolean isSigned(Call call, String service) {
    var fault = signature.fault(call, service);
    fault.ifPresent(error -> error.answer(call));
    return fault.isEmpty();
  }

  private void answerRuntime(Call call, String function, String instance, String path)
      throws InterruptedException {
    var serving =
        Optional.ofNullable(functions.get(function)).flatMap(found -> found.program(instance));
    if (serving.isEmpty()) {
      AwsError.notFound(instance).answer(call);
      return;
    }
    serving.get().answer(call, path);
  }

  private IntFunction<Instance> starter(LambdaFunction function) {
    return number -> {
      var name = function.name() + "-" + number;
      return switch (function.settings().code()) {
        case Code.Here(var handler) -> new HereInstance(name, handler, function::instancesChanged);
        case Code.Program program ->
            new ProgramInstance(
                name,
                function.settings(),
                function.arn(),
                program,
                environment(function, name),
                function::instancesChanged);
      };
    };
  }

  /// What Lambda puts into a function's environment.
  private Map<String, String> environment(LambdaFunction function, String instance) {
    var variables = new TreeMap<>(settings.credentials().environment());
    variables.put(
        "AWS_LAMBDA_RUNTIME_API",
        "%s/runtime/%s/%s"
            .formatted(
                function.settings().runtimeThrough().orElse(door.authority()),
                function.name(),
                instance));
    variables.put("AWS_ENDPOINT_URL_LAMBDA", url().toString());
    for (var service : List.of("SSM", "KMS", "EVENTS", "SQS")) {
      variables.put("AWS_ENDPOINT_URL_" + service, url().toString());
    }
    variables.put("AWS_LAMBDA_FUNCTION_NAME", function.name());
    variables.put("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST");
    variables.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024");
    variables.put("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
    variables.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + function.name());
    variables.put("AWS_LAMBDA_LOG_STREAM_NAME", instance);
    variables.put("AWS_REGION", settings.region());
    variables.put("AWS_DEFAULT_REGION", settings.region());
    variables.put("LANG", "en_US.UTF-8");
    variables.put("TZ", ":UTC");
    variables.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
    return variables;
  }
}
