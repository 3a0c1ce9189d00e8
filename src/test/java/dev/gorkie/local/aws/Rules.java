package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Call;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// EventBridge's rules with a rate: while one is enabled it invokes its function again and again.
final class Rules implements AutoCloseable {

  private static final String TARGET = "AWSEvents.";
  private static final String MINUTELY = "rate(1 minute)";
  private static final Pattern DAILY =
      Pattern.compile("cron\\((?<minute>[0-9]{1,2}) (?<hour>[0-9]{1,2}) \\* \\* \\? \\*\\)");

  private final Map<String, Rule> rules = new ConcurrentHashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("aws-rules").factory());

  private static final class Rule {
    private final LambdaFunction function;
    private final String input;
    private final Duration every;
    private volatile String expression = MINUTELY;
    private @Nullable ScheduledFuture<?> running;

    Rule(LambdaFunction function, String input, Duration every) {
      this.function = function;
      this.input = input;
      this.every = every;
    }
  }

  void put(String name, LambdaFunction function, String input, Duration every) {
    rules.put(name, new Rule(function, input, every));
  }

  boolean isEnabled(String name) {
    var rule = rules.get(name);
    return rule != null && rule.running != null;
  }

  boolean isMeant(Call call) {
    return target(call).startsWith(TARGET);
  }

  void answer(Call call) {
    var rule = rules.get(call.json().getString("Name", ""));
    if (rule == null) {
      new AwsError(400, "ResourceNotFoundException", "Rule does not exist.").answer(call);
      return;
    }
    switch (target(call)) {
      case TARGET + "EnableRule" -> enable(rule);
      case TARGET + "PutRule" -> {
        if (!put(rule, call.json())) {
          new AwsError(400, "ValidationException", "Parameter ScheduleExpression is not valid.")
              .answer(call);
          return;
        }
      }
      case TARGET + "DisableRule" -> disable(rule);
      default -> {
        new AwsError(400, "UnknownOperationException", target(call)).answer(call);
        return;
      }
    }
    call.answer(200, "application/x-amz-json-1.1", new JsonObject().toBuffer().getBytes());
  }

  private synchronized void enable(Rule rule) {
    if (rule.running == null) {
      var millis = rule.every.toMillis();
      rule.running =
          clock.scheduleAtFixedRate(
              () -> rule.function.invokeLater(rule.input), millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  /// A rate, or a time of each day; both come as much sooner as the rule's own rate does.
  private synchronized boolean put(Rule rule, JsonObject request) {
    var expression = request.getString("ScheduleExpression", "");
    var daily = DAILY.matcher(expression);
    if (!expression.equals(MINUTELY) && !daily.matches()
        || !request.getString("State", "").equals("ENABLED")) {
      return false;
    }
    disable(rule);
    rule.expression = expression;
    if (expression.equals(MINUTELY)) {
      enable(rule);
      return true;
    }
    var now = OffsetDateTime.now(ZoneOffset.UTC);
    var at =
        now.truncatedTo(ChronoUnit.MINUTES)
            .withHour(Integer.parseInt(daily.group("hour")))
            .withMinute(Integer.parseInt(daily.group("minute")));
    var hurry = Duration.ofMinutes(1).dividedBy(rule.every);
    var first = Duration.between(now, at.isAfter(now) ? at : at.plusDays(1)).dividedBy(hurry);
    rule.running =
        clock.scheduleAtFixedRate(
            () -> rule.function.invokeLater(rule.input),
            first.toMillis(),
            Duration.ofDays(1).dividedBy(hurry).toMillis(),
            TimeUnit.MILLISECONDS);
    return true;
  }

  /// As it was put last.
  String expression(String name) {
    var rule = rules.get(name);
    return rule == null ? "" : rule.expression;
  }

  private synchronized void disable(Rule rule) {
    if (rule.running != null) {
      rule.running.cancel(false);
      rule.running = null;
    }
  }

  private static String target(Call call) {
    return call.header("x-amz-target").orElse("");
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
