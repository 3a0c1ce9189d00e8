package dev.gorkie.way;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.gorkie.local.World;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.slack.LocalSlack;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/// Somebody before the page, in a real Chromium: with a world and a Gorkie of his own, whose channels nobody else fills.
final class Onlooker {

  private static final FutureTask<Onlooker> ONLOOKER = new FutureTask<>(Onlooker::arrive);
  private static final Optional<Path> PICTURES =
      Optional.ofNullable(System.getProperty("gorkie.pictures")).map(Path::of);
  // Longer than any turn here takes on a busy machine; a test that needs it has failed.
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  // Minutes of waiting, for Slack's patience and for Daytona, are seconds here.
  private static final int HURRY = 10;
  // Minutes and seconds of Gorkie's own, scaled down: what has to relate to each other does.
  private static final Map<String, String> HASTE =
      Map.of(
          "GORKIE_LEASE_LASTS", "6s",
          "GORKIE_LEASE_RENEWED_EVERY", "1s",
          "GORKIE_SLACK_CALL_TIMEOUT", "2s",
          "GORKIE_SLACK_GATE_STEP", "200ms",
          "GORKIE_SLACK_READ_BACK_PAUSE", "200ms",
          "GORKIE_SWEEP_EVERY", "1s",
          "MODEL_ALLOWED", "local/demonstration,local/another");
  private static final String AXE = "/axe.min.js";
  // What a person notices; below that axe has opinions.
  private static final String SERIOUS =
      """
      async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
      """;

  // How much higher the screen must be for all of a thread, or how much lower.
  private static final String MORE_THAN_SHOWN =
      "list => Math.ceil(list.lastElementChild.getBoundingClientRect().bottom + list.scrollTop"
          + " - list.getBoundingClientRect().bottom) + 16";
  // Nobody writes, and nothing of what is behind the corners shows.
  private static final String UNTOUCHED =
      "document.activeElement.blur(), document.querySelector('.pane.thread').style.borderRadius = 0";
  private static final int THREAD_HEIGHT_MAX = 1_600;

  private final World world;
  private final Browser browser;
  private final List<String> complaints = new ArrayList<>();
  private Gorkie gorkie;

  private Onlooker(World world, Gorkie gorkie, Browser browser) {
    this.world = world;
    this.gorkie = gorkie;
    this.browser = browser;
    slack().deliverTo(gorkie.events());
  }

  /// Skips the test where no browser is to be had, unless one must be.
  static Onlooker open() {
    var missing = missing();
    if ("required".equals(System.getenv("GORKIE_BROWSER"))) {
      assertEquals(Optional.empty(), missing);
    }
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    ONLOOKER.run();
    try {
      return ONLOOKER.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("The page could not be opened", e);
    }
  }

  private static Optional<String> missing() {
    if (chromium().isEmpty()) {
      return Optional.of("No Chromium was found, so the page was not tried; “make test” looks.");
    }
    try {
      Class.forName("com.microsoft.playwright.impl.driver.jar.DriverJar");
      return Optional.empty();
    } catch (ClassNotFoundException _) {
      return Optional.of(
          "Playwright's driver is in the Maven profile “page”, so the page was not tried.");
    }
  }

  private static Optional<Path> chromium() {
    return Optional.ofNullable(System.getProperty("gorkie.chromium")).map(Path::of);
  }

  private static Onlooker arrive() throws IOException, InterruptedException {
    var world = World.start(Stage.options().hurry(HURRY));
    Runtime.getRuntime().addShutdownHook(new Thread(world::close));
    var gorkie = start(world);
    setDefaultAssertionTimeout(PATIENCE.toMillis());
    // Its browser is the one that is here.
    var environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    var playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
    var browser =
        playwright.chromium().launch(new LaunchOptions().setExecutablePath(chromium().get()));
    return new Onlooker(world, gorkie, browser);
  }

  private static Gorkie start(World world) throws IOException {
    var environment = new HashMap<>(world.environment());
    environment.putAll(HASTE);
    environment.put("GORKIE_DATABASE_MIGRATE_AT_START", "true");
    return Gorkie.start(environment);
  }

  /// The computer of a channel's first thread.
  LocalDaytona.View sandboxOf(String channel) {
    var root = slack().threads(channel).getFirst().rootTs();
    var name = "gorkie-%s-%s-%s".formatted(slack().teamId(), slack().channel(channel).id(), root);
    return world.daytona().sandbox(name).orElseThrow(() -> new AssertionError("No " + name));
  }

  World world() {
    return world;
  }

  LocalSlack slack() {
    return world.slack();
  }

  /// Another worker takes the place of the one that is gone, as “make dev” sees to.
  void startAnother() throws IOException, InterruptedException {
    gorkie.kill();
    gorkie = start(world);
    slack().deliverTo(gorkie.events());
  }

  /// A browser of its own, on a screen of this size, that has not been here before and wants no tour.
  Page page(int width, int height) {
    var context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setLocale("en-GB")
                .setAcceptDownloads(true));
    context.setDefaultTimeout(PATIENCE.toMillis());
    context.addInitScript("localStorage.gorkie ??= JSON.stringify({ tour: 'closed' })");
    return watched(context.newPage());
  }

  Page page() {
    return page(1_280, 800);
  }

  /// What no browser should have to say of the page is remembered.
  private Page watched(Page page) {
    var host = slack().url().getAuthority();
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.type() + ": " + message.text());
          }
        });
    page.onPageError(complaints::add);
    page.onRequest(
        request -> {
          var url = URI.create(request.url());
          if (!"blob".equals(url.getScheme()) && !host.equals(url.getAuthority())) {
            complaints.add("it asks elsewhere: " + url);
          }
        });
    return page;
  }

  /// Closes what was opened. Nothing was in the browser's console, and nothing was asked for elsewhere.
  void leave() {
    List.copyOf(browser.contexts()).forEach(BrowserContext::close);
    var all = List.copyOf(complaints);
    complaints.clear();
    assertEquals(List.of(), all);
  }

  /// What the test itself brought about.
  void forgive(String words) {
    complaints.removeIf(complaint -> complaint.contains(words));
  }

  /// axe has nothing serious to say of what is on the screen, in light and in dark.
  void assertAccessible(Page page) throws IOException {
    try (var script = Objects.requireNonNull(Page.class.getResourceAsStream(AXE))) {
      page.evaluate(new String(script.readAllBytes(), UTF_8));
    }
    for (var scheme : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      assertThat(page.locator("html"))
          .hasAttribute("data-theme", scheme.name().toLowerCase(Locale.ROOT));
      assertEquals(List.of(), page.evaluate(SERIOUS), scheme::name);
    }
  }

  /// Whether somebody wants pictures for the docs.
  static boolean isPaintedFor() {
    return PICTURES.isPresent();
  }

  /// All that is on the screen, if somebody wants pictures.
  void picture(Page page, String name) throws IOException {
    if (isPaintedFor()) {
      // What shows up under the mouse is in nobody's way then.
      page.mouse().move(0, 0);
      Picture.write(page.screenshot(), PICTURES.get().resolve(name + ".png"));
    }
  }

  /// The thread alone, as much of it as there is, if somebody wants pictures.
  void pictureOfThread(Page page, String name) throws IOException {
    if (isPaintedFor()) {
      page.mouse().move(0, 0);
      page.evaluate(UNTOUCHED);
      var more = (int) page.locator(".thread .scroll").evaluate(MORE_THAN_SHOWN);
      var size = page.viewportSize();
      page.setViewportSize(size.width, Math.min(THREAD_HEIGHT_MAX, size.height + more));
      Picture.write(
          page.locator(".pane.thread").screenshot(), PICTURES.get().resolve(name + ".png"));
      page.setViewportSize(size.width, size.height);
    }
  }

  /// The address of a place in this workspace, by what is behind its first slash.
  String url(String path) {
    return slack().url() + path;
  }

  Page at(String channel) {
    var page = page();
    page.navigate(url("archives/" + slack().channel(channel).id()));
    return page;
  }

  /// What an app says, over the wire it has for that.
  void says(String method, Map<String, String> fields) throws IOException, InterruptedException {
    var form =
        fields.entrySet().stream()
            .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    var token = world.environment().get("SLACK_BOT_TOKEN");
    var request =
        HttpRequest.newBuilder(URI.create(url("api/" + method)))
            .header("authorization", "Bearer " + token)
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    // What the page makes of it is another question than whether it should be said.
    slack().refuseUnsafe(false);
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, BodyHandlers.ofString()).body();
      if (!answer.contains("\"ok\":true")) {
        throw new AssertionError(answer);
      }
    } finally {
      slack().refuseUnsafe(true);
    }
  }
}
