package dev.gorkie.logbook;

/// What is counted one by one.
enum Count {
  SANDBOX_CREATES("SandboxCreate", "gorkie_sandbox_creates_total", "Sandboxes created or adopted"),
  SANDBOX_RESUMES("SandboxResume", "gorkie_sandbox_resumes_total", "Sandboxes woken"),
  SANDBOX_REPLACEMENTS(
      "SandboxReplace",
      "gorkie_sandbox_replacements_total",
      "Sandboxes that took the place of one that is gone, broken or too old"),
  HEALTH_RETRIES(
      "HealthRetry",
      "gorkie_health_retries_total",
      "Times that a sandbox or its keeper did not answer and was asked again"),
  PROMPT_RETRIES(
      "PromptRetry",
      "gorkie_prompt_retries_total",
      "Prompts said once more, since Pi ended before it had done anything");

  private final String name;
  private final String series;
  private final String help;

  Count(String name, String series, String help) {
    this.name = name;
    this.series = series;
    this.help = help;
  }

  /// As CloudWatch knows it.
  String metric() {
    return name;
  }

  /// As Prometheus knows it.
  String series() {
    return series;
  }

  String help() {
    return help;
  }
}
