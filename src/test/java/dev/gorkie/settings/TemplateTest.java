package dev.gorkie.settings;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is deployed to AWS is what the program expects, and may do what the program does and nothing else.
class TemplateTest {

  private static final Map<String, String> CHOSEN =
      Map.of(
          "Release", "0123456789ab",
          "DaytonaSnapshot", "gorkie-0123456789ab",
          "ModelBaseUrl", "https://openrouter.ai/api/v1",
          "ModelId", "some/model");
  private static final Map<String, String> EVERYTHING = Map.of("SandboxApi", "yes");
  private static final String ACCOUNT = ":eu-central-1:000000000000:";
  private static final Set<String> SECRETS =
      Set.of(
          "SLACK_SIGNING_SECRET",
          "SLACK_BOT_TOKEN",
          "SLACK_CLIENT_SECRET",
          "GORKIE_TOKEN_KEY",
          "GORKIE_WEBHOOK_SECRET",
          "DATABASE_URL",
          "DAYTONA_API_KEY",
          "MODEL_API_KEY");
  // Read by Lambda's runtime or by whoever looks at a version.
  private static final Set<String> NOT_OURS = Set.of("DISABLE_SIGNAL_HANDLERS", "GORKIE_RELEASE");
  // A function ends when Lambda wants it, and writes its log as Lambda reads it.
  private static final Set<String> FOR_SERVERS =
      Set.of("GORKIE_DRAIN", "GORKIE_LOG", "SLACK_APP_TOKEN");
  private static final Map<String, String> VIA_SSM =
      Map.of("kms:ViaService", "ssm.eu-central-1.amazonaws.com");
  // A turn that waits in line is a worker too, and so is a stop that is taken in, a watch, and what
  // the clock wakes.
  private static final int BESIDE_TURNS = 10;

  /// Good for one setting, and not for another.
  private static final List<String> AWKWARD =
      List.of(
          """
          five;0;-1;1.5;0.00;1.1234567;0x10;1000000;10000000000;5.00;ftp://x.y/z;https://;https:///x;http://x.y;hooks.example;\
          a b;a,b;a,,b;ada;U012AB3CD;B012AB3CD;T012AB3CD/U012AB3CD;U012AB3CD,;direct;#general;PATH=our-github;npm=x;our-github;\
          GORKIE_MODEL_KEY=our-github;NPM_TOKEN=our-npm;NPM_TOKEN=our-npm,;open;none;closed;open,github.com;github.com,,x.y;\
          10.0.0.0/33;10.0.0.999;10.0.0.0/8,*.github.com;https://github.com;30d;30w;d;true;off;perhaps;bypass;A0123;123.456;*\
          """
              .split(";", -1));

  static Stream<Map<String, String>> installations() {
    return Stream.of(
        Map.of(),
        Map.of("SlackClientId", "1.2"),
        Map.of("SandboxApi", "yes"),
        Map.of("SandboxApi", "yes", "SlackClientId", "1.2"),
        Map.of("DaytonaSecret", "gorkie-model-key"),
        Map.of("Url", "https://gorkie.example.com", "WebhookUrl", "https://example.com/gorkie"),
        Map.of("Subnets", "subnet-1,subnet-2", "SecurityGroups", "sg-1"),
        Map.of("WorkerConcurrency", "0", "Dashboard", "no", "AlarmEmail", "ada@example.com"));
  }

  @ParameterizedTest
  @MethodSource("installations")
  void the_functions_are_told_what_their_roles_ask_for(Map<String, String> installation)
      throws IOException {
    var template = template(installation);

    assertEquals(
        installation.containsKey("SandboxApi")
            ? Set.of("api", "ingress", "worker")
            : Set.of("ingress", "worker"),
        roles(template));
    for (var name : functions(template).keySet()) {
      var environment = environment(template, name);
      // What a secret is, the function finds under its name.
      var known = new HashMap<>(environment);
      known.replaceAll((setting, value) -> value.startsWith("ssm:") ? example(setting) : value);
      var complaints = new Settings(key -> Optional.ofNullable(known.get(key))).complaints();
      assertEquals(List.of(), complaints, name);
    }
  }

  @Test
  void whatever_they_are_told_somebody_reads() throws IOException {
    var properties =
        Files.readString(
            java.nio.file.Path.of("src", "main", "resources", "application.properties"));
    var known = new TreeSet<>(NOT_OURS);
    known.add("GORKIE_ROLE");
    Setting.ALL.stream().map(Setting::name).forEach(known::add);

    for (var name : functions(template(EVERYTHING)).keySet()) {
      for (var setting : environment(template(EVERYTHING), name).keySet()) {
        assertTrue(known.contains(setting) || properties.contains("${" + setting + ":"), setting);
      }
    }
  }

  @Test
  void whatever_an_operator_may_set_he_may_deploy() throws IOException {
    var told = new TreeSet<>(FOR_SERVERS);
    for (var name : functions(template(EVERYTHING)).keySet()) {
      told.addAll(environment(template(EVERYTHING), name).keySet());
    }

    assertEquals(
        List.of(),
        Setting.ALL.stream().map(Setting::name).filter(name -> !told.contains(name)).toList());
  }

  @Test
  void what_the_program_would_not_start_with_cannot_be_deployed() throws IOException {
    var template = template(EVERYTHING);
    var accepted = new ArrayList<String>();
    var cases = 0;
    for (var said : parametersOf("WorkerFunction").entrySet()) {
      for (var setting :
          Setting.ALL.stream().filter(it -> it.name().equals(said.getKey())).toList()) {
        for (var value : AWKWARD) {
          cases++;
          if (template.accepts(said.getValue(), value)
              && setting.complaint(Role.WORKER, Optional.of(value)).isPresent()) {
            accepted.add(said.getValue() + " may be " + value);
          }
        }
      }
    }

    assertTrue(cases > 30 * AWKWARD.size(), String.valueOf(cases));
    assertEquals(List.of(), accepted);
  }

  /// By the setting that a function is told, as far as an operator says it as it is.
  private static Map<String, String> parametersOf(String function) throws IOException {
    var names = new HashMap<String, String>();
    Template.names().forEach(name -> names.put(name, "<" + name + ">"));
    names.put("SandboxApi", "yes");
    var told = new HashMap<String, String>();
    environment(Template.with(names), function)
        .forEach(
            (setting, value) -> {
              if (value.startsWith("<")) {
                told.put(setting, value.substring(1, value.length() - 1));
              }
            });
    return told;
  }

  @ParameterizedTest
  @MethodSource("installations")
  void secrets_are_named_and_each_may_be_read_by_whoever_is_told_its_name(
      Map<String, String> installation) throws IOException {
    var template = template(installation);

    for (var name : functions(template).keySet()) {
      var named = new TreeSet<String>();
      environment(template, name)
          .forEach(
              (setting, value) -> {
                if (SECRETS.contains(setting) && !value.isEmpty()) {
                  assertEquals("ssm:/gorkie/" + setting, value);
                  named.add("arn:aws:ssm" + ACCOUNT + "parameter/gorkie/" + setting);
                }
              });
      assertEquals(named, resources(template, name, "ssm:GetParameters"));
    }
    assertTrue(SECRETS.stream().noneMatch(secret -> isParameter(template, secret)));
  }

  @Test
  void the_first_function_knows_slacks_secret_and_nothing_else() throws IOException {
    var told = environment(template(Map.of()), "IngressFunction").keySet();

    assertTrue(
        told.stream()
            .noneMatch(name -> name.matches("DATABASE_.*|DAYTONA_.*|MODEL_.*|SLACK_BOT_TOKEN")),
        told.toString());
  }

  @ParameterizedTest
  @MethodSource("installations")
  void rights_are_few_and_never_for_everything(Map<String, String> installation)
      throws IOException {
    var template = template(installation);

    assertEquals(
        List.of(
            "lambda:InvokeFunction",
            "logs:CreateLogStream",
            "logs:PutLogEvents",
            "ssm:GetParameters"),
        actions(template, "IngressFunction"));
    assertEquals(
        List.of(
            "events:DisableRule",
            "events:PutRule",
            "lambda:InvokeFunction",
            "logs:CreateLogStream",
            "logs:PutLogEvents",
            "sqs:DeleteMessage",
            "sqs:ReceiveMessage",
            "sqs:SendMessage",
            "ssm:GetParameters"),
        actions(template, "WorkerFunction"));
    for (var function : functions(template).keySet()) {
      for (var statement : allowed(template, function)) {
        assertFalse(statement.toString().contains("*"), statement.toString());
      }
    }
  }

  @Test
  void the_docs_tell_of_each_right_and_count_them() throws IOException {
    var docs = Files.readString(java.nio.file.Path.of("docs", "deploying.md"));
    var template = template(EVERYTHING);
    var all = new ArrayList<String>();

    for (var row :
        Map.of("first", "IngressFunction", "second", "WorkerFunction", "third", "ApiFunction")
            .entrySet()) {
      var rights = actions(template, row.getValue());
      all.addAll(rights);
      assertTrue(
          docs.contains("\n| the %s | `%s` |".formatted(row.getKey(), String.join("`, `", rights))),
          rights.toString());
    }

    assertTrue(docs.contains("Nine different actions"));
    assertEquals(9, Set.copyOf(all).size());
    assertTrue(docs.contains("thirteen in two roles, seventeen in three"));
    assertEquals(17, all.size());
    assertEquals(13, all.size() - actions(template, "ApiFunction").size());
  }

  @Test
  void a_key_of_ones_own_opens_secrets_for_ssm_and_the_key_over_tokens_for_the_worker_alone()
      throws IOException {
    var key = Map.of("SecretsKeyArn", "arn:aws:kms:eu-central-1:000000000000:key/1");
    var one = template(key);
    var many = new HashMap<>(key);
    many.put("SlackClientId", "1.2");
    var several = template(many);

    assertEquals(List.of(VIA_SSM), opens(one, "IngressFunction"));
    assertEquals(List.of(VIA_SSM), opens(one, "WorkerFunction"));
    assertEquals(List.of(VIA_SSM), opens(several, "IngressFunction"));
    assertEquals(
        List.of(VIA_SSM, Map.of("kms:EncryptionContext:gorkie", "token-key")),
        opens(several, "WorkerFunction"));
    many.put("SandboxApi", "yes");
    assertEquals(
        List.of(VIA_SSM, Map.of("kms:EncryptionContext:gorkie", "token-key")),
        opens(template(many), "ApiFunction"));
  }

  /// For what the key may be used, statement by statement.
  private static List<Object> opens(Template template, String function) {
    return allowed(template, function).stream()
        .filter(statement -> Template.at(statement, "Action").equals("kms:Decrypt"))
        .map(
            statement -> {
              assertEquals(
                  "arn:aws:kms:eu-central-1:000000000000:key/1",
                  Template.at(statement, "Resource"));
              return Template.at(Template.map(statement, "Condition"), "StringEquals");
            })
        .toList();
  }

  @Test
  void the_third_function_may_look_and_hand_over_and_nothing_else() throws IOException {
    var template = template(EVERYTHING);

    assertEquals(
        List.of(
            "lambda:InvokeFunction",
            "logs:CreateLogStream",
            "logs:PutLogEvents",
            "ssm:GetParameters"),
        actions(template, "ApiFunction"));
    assertTrue(
        environment(template, "ApiFunction").keySet().stream()
            .noneMatch(name -> name.matches("MODEL_API_KEY|SLACK_.*(TOKEN|SECRET)")));
    assertEquals(Set.of("ANY /v1/sandbox/{proxy+}"), routes(template, "ApiFunction"));
    assertEquals(30, function(template, "ApiFunction").get("Timeout"));
    // Slack's three seconds are measured where no program comes in.
    assertEquals("ProgramsApi", gateway(template, "ApiFunction"));
    assertEquals("Api", gateway(template, "IngressFunction"));
    assertEquals(
        Set.of("IngressFunction", "WorkerFunction"), functions(template(Map.of())).keySet());
  }

  @Test
  void a_network_of_ones_own_adds_what_lambda_needs_and_takes_it_from_the_code()
      throws IOException {
    var role =
        template(Map.of("Subnets", "subnet-1", "SecurityGroups", "sg-1"))
            .resources("AWS::IAM::Role")
            .get("WorkerRole");

    assertEquals(
        List.of("arn:aws:iam::aws:policy/service-role/AWSLambdaENIManagementAccess"),
        Template.cast(role).get("ManagedPolicyArns"));
    assertTrue(Template.cast(role).toString().contains("Effect=Deny"), String.valueOf(role));
    assertFalse(
        template(Map.of()).resources("AWS::IAM::Role").toString().contains("ManagedPolicyArns"));
  }

  @Test
  void the_gateway_has_a_route_for_each_door_that_is_open_and_for_nothing_else() throws Exception {
    var doors = new TreeSet<String>();
    for (var name : List.of("SlackDoor", "JobDoor", "InstallDoor")) {
      var door = Class.forName("dev.gorkie.ingress." + name);
      for (var method : door.getDeclaredMethods()) {
        verb(method)
            .ifPresent(
                verb ->
                    doors.add(
                        verb
                            + " "
                            + door.getAnnotation(Path.class).value()
                            + method.getAnnotation(Path.class).value()));
      }
    }

    assertEquals(doors, routes(template(Map.of()), "IngressFunction"));
    assertEquals(Set.of(), routes(template(Map.of()), "WorkerFunction"));
    var api = template(Map.of()).resources("AWS::Serverless::HttpApi").get("Api");
    assertTrue(
        Template.map(Template.cast(api), "DefaultRouteSettings")
            .keySet()
            .containsAll(Set.of("ThrottlingRateLimit", "ThrottlingBurstLimit")));
    assertTrue(doors.containsAll(Template.map(Template.cast(api), "RouteSettings").keySet()));
  }

  private static Optional<String> verb(java.lang.reflect.Method method) {
    if (method.isAnnotationPresent(POST.class)) {
      return Optional.of("POST");
    }
    return method.isAnnotationPresent(GET.class) ? Optional.of("GET") : Optional.empty();
  }

  @Test
  void a_delivery_is_tried_three_times_and_then_kept_for_two_weeks() throws IOException {
    var template = template(Map.of());
    var invoking = Template.map(function(template, "WorkerFunction"), "EventInvokeConfig");
    var queue = Template.cast(template.resources("AWS::SQS::Queue").get("FailureQueue"));

    assertEquals(2, invoking.get("MaximumRetryAttempts"));
    assertEquals((int) Duration.ofHours(6).toSeconds(), invoking.get("MaximumEventAgeInSeconds"));
    assertEquals(
        "FailureQueue.Arn",
        Template.map(Template.map(invoking, "DestinationConfig"), "OnFailure").get("Destination"));
    assertEquals((int) Duration.ofDays(14).toSeconds(), queue.get("MessageRetentionPeriod"));
    assertEquals(true, queue.get("SqsManagedSseEnabled"));
    assertEquals(
        "FailureQueue", environment(template, "WorkerFunction").get("GORKIE_FAILURE_QUEUE_URL"));
    assertTrue(
        resources(template, "WorkerFunction", "sqs:SendMessage").contains("FailureQueue.Arn"));
  }

  @Test
  void the_clock_is_the_one_that_the_worker_switches_and_brings_what_it_understands()
      throws Exception {
    var template = template(Map.of());
    var sweep =
        Template.map(
            Template.map(Template.map(function(template, "WorkerFunction"), "Events"), "Sweep"),
            "Properties");
    var event = new ObjectMapper().readTree(Template.at(sweep, "Input").toString());

    assertEquals(
        environment(template, "WorkerFunction").get("GORKIE_SWEEP_RULE"), sweep.get("Name"));
    assertEquals(
        Set.of("arn:aws:events" + ACCOUNT + "rule/" + sweep.get("Name")),
        resources(template, "WorkerFunction", "events:DisableRule"));
    assertEquals("rate(1 minute)", sweep.get("Schedule"));
    assertEquals("ENABLED", sweep.get("State"));
    assertEquals("/internal/sweeps", event.path("rawPath").asText());
    assertEquals("POST", event.path("requestContext").path("http").path("method").asText());
    assertEquals("2.0", event.path("version").asText());
  }

  @Test
  void each_function_calls_the_live_version_of_the_worker() throws IOException {
    var template = template(EVERYTHING);

    assertEquals("live", template.functions().get("AutoPublishAlias"));
    for (var name : functions(template).keySet()) {
      assertEquals("0123456789ab", function(template, name).get("AutoPublishCodeSha256"));
      assertEquals(
          function(template, "WorkerFunction").get("FunctionName") + ":live",
          environment(template, name).get("GORKIE_WORKER_FUNCTION"));
      assertEquals(
          Set.of("arn:aws:lambda" + ACCOUNT + "function:gorkie-worker:live"),
          resources(template, name, "lambda:InvokeFunction"));
    }
  }

  @Test
  void both_have_time_for_what_they_do_and_a_log_that_ends() throws IOException {
    var template = template(Map.of("LogDays", "7"));
    var logs =
        template.resources("AWS::Logs::LogGroup").values().stream()
            .collect(toMap(log -> log.get("LogGroupName"), log -> log.get("RetentionInDays")));

    assertEquals(900, function(template, "WorkerFunction").get("Timeout"));
    assertEquals(10, function(template, "IngressFunction").get("Timeout"));
    assertEquals(
        Map.of(
            "/aws/lambda/gorkie-ingress", "7",
            "/aws/lambda/gorkie-worker", "7",
            "/aws/apigateway/gorkie", "7"),
        logs);
  }

  @Test
  void there_are_workers_left_while_all_turns_are_at_work() throws IOException {
    var template = template(Map.of());

    var workers = Integer.parseInt(template.parameter("WorkerConcurrency"));
    assertTrue(workers >= Integer.parseInt(template.parameter("TurnsAtOnce")) + BESIDE_TURNS);
    assertEquals(
        Integer.toString(workers),
        function(template, "WorkerFunction").get("ReservedConcurrentExecutions"));
    assertFalse(
        function(template(Map.of("WorkerConcurrency", "0")), "WorkerFunction")
            .containsKey("ReservedConcurrentExecutions"));
  }

  @Test
  void every_alarm_says_where_its_remedy_is_written_and_tells_whoever_wants_to_know()
      throws IOException {
    var alarms =
        template(Map.of("AlarmEmail", "ada@example.com")).resources("AWS::CloudWatch::Alarm");
    var remedies = Files.readString(java.nio.file.Path.of("docs", "deploying.md"));

    assertEquals(8, alarms.size());
    alarms.putAll(
        template(Map.of("AlarmEmail", "ada@example.com", "SandboxApi", "yes"))
            .resources("AWS::CloudWatch::Alarm"));
    assertEquals(9, alarms.size());
    for (var alarm : alarms.values()) {
      var description = alarm.getOrDefault("AlarmDescription", "").toString();
      var heading = description.replaceAll("(?s).*See “(.*)” in docs/deploying[.]md[.]", "$1");
      assertTrue(remedies.contains("\n### " + heading + "\n"), description);
      assertEquals(List.of("Alarms"), alarm.get("AlarmActions"));
      assertEquals("notBreaching", alarm.get("TreatMissingData"));
    }
    assertEquals(Map.of(), template(Map.of()).resources("AWS::SNS::Topic"));
  }

  @Test
  void the_dashboard_can_be_drawn() throws IOException {
    var board = template(Map.of()).resources("AWS::CloudWatch::Dashboard").get("Board");

    var widgets =
        new ObjectMapper()
            .readTree(Template.cast(board).getOrDefault("DashboardBody", "").toString())
            .path("widgets");
    assertEquals(6, widgets.size());
    widgets.forEach(widget -> assertFalse(widget.path("properties").path("metrics").isEmpty()));
  }

  private static Template template(Map<String, String> installation) throws IOException {
    var parameters = new HashMap<>(CHOSEN);
    parameters.putAll(installation);
    return Template.with(parameters);
  }

  private static Map<String, Map<String, Object>> functions(Template template) {
    return template.resources("AWS::Serverless::Function");
  }

  private static Map<String, Object> function(Template template, String name) {
    return Template.cast(functions(template).get(name));
  }

  private static Map<String, String> environment(Template template, String function) {
    var all = new HashMap<String, String>();
    Stream.of(template.functions(), function(template, function))
        .map(part -> Template.map(Template.map(part, "Environment"), "Variables"))
        .forEach(part -> part.forEach((name, value) -> all.put(name, value.toString())));
    return all;
  }

  private static Set<String> roles(Template template) {
    return functions(template).keySet().stream()
        .map(name -> environment(template, name).getOrDefault("GORKIE_ROLE", ""))
        .collect(toCollection(TreeSet::new));
  }

  private static boolean isParameter(Template template, String secret) {
    var name =
        Arrays.stream(secret.split("_"))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
            .reduce("", String::concat);
    try {
      template.parameter(name);
      return true;
    } catch (NullPointerException _) {
      return false;
    }
  }

  /// By which all its routes come in.
  private static Object gateway(Template template, String function) {
    var gateways =
        Template.map(function(template, function), "Events").values().stream()
            .map(event -> Template.map(Template.cast(event), "Properties").get("ApiId"))
            .distinct()
            .toList();
    assertEquals(1, gateways.size(), function);
    return gateways.getFirst();
  }

  private static Set<String> routes(Template template, String function) {
    var routes = new TreeSet<String>();
    Template.map(function(template, function), "Events")
        .values()
        .forEach(
            event -> {
              if (Template.at(Template.cast(event), "Type").equals("HttpApi")) {
                var route = Template.map(Template.cast(event), "Properties");
                assertEquals("2.0", route.get("PayloadFormatVersion"));
                routes.add(route.get("Method") + " " + route.get("Path"));
              }
            });
    return routes;
  }

  private static List<Map<String, Object>> allowed(Template template, String function) {
    var role = Template.at(function(template, function), "Role").toString().replace(".Arn", "");
    var policies =
        (List<?>)
            Template.at(Template.cast(template.resources("AWS::IAM::Role").get(role)), "Policies");
    return policies.stream()
        .map(
            policy ->
                Template.at(Template.map(Template.cast(policy), "PolicyDocument"), "Statement"))
        .flatMap(statements -> ((List<?>) statements).stream())
        .map(Template::cast)
        .filter(statement -> Template.at(statement, "Effect").equals("Allow"))
        .toList();
  }

  private static List<String> actions(Template template, String function) {
    return allowed(template, function).stream()
        .flatMap(statement -> several(Template.at(statement, "Action")))
        .sorted()
        .toList();
  }

  private static Set<String> resources(Template template, String function, String action) {
    return allowed(template, function).stream()
        .filter(statement -> several(Template.at(statement, "Action")).anyMatch(action::equals))
        .flatMap(statement -> several(Template.at(statement, "Resource")))
        .collect(toCollection(TreeSet::new));
  }

  private static Stream<String> several(Object oneOrMore) {
    return oneOrMore instanceof List<?> list
        ? list.stream().map(Object::toString)
        : Stream.of(oneOrMore.toString());
  }

  private static String example(String secret) {
    return switch (secret) {
      case "SLACK_BOT_TOKEN" -> "xoxb-1";
      case "DATABASE_URL" -> "postgresql://a:b@c/d";
      case "GORKIE_TOKEN_KEY" -> "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
      default -> "a-secret-of-some-length";
    };
  }
}
