package dev.gorkie.way;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.RequestOptions;
import dev.gorkie.local.slack.Channel;
import java.nio.file.Files;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The workspace as people use it, in a real browser and with a real Gorkie behind it.
class PageIT {

  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNg+M9QDwADgQF/pYlG4QAAAABJRU5ErkJggg==";

  private final Onlooker onlooker = Onlooker.open();

  @AfterEach
  void leave() {
    onlooker.leave();
  }

  @Test
  void what_is_said_is_answered_before_ones_eyes() throws Exception {
    onlooker.slack().addPerson("katherine", "Katherine Johnson");
    var page = onlooker.at(channel("launch"));
    speakAs(page, "Katherine Johnson");
    write(page, "Message #launch", "Morning all. The numbers of last week are in.");
    field(page, "Message #launch").pressSequentially("@go");
    assertThat(page.locator(".names li")).hasCount(1);
    page.keyboard().press("Enter");
    field(page, "Message #launch").pressSequentially("$ for i in 1 2 3; do echo $((i*i)); done");
    page.keyboard().press("Enter");

    page.locator("a.thread").click();

    var thread = thread(page);
    assertThat(thread.locator(".plan .task")).containsText(new String[] {"", "", "for i in 1 2 3"});
    assertThat(thread.locator(".plan > .title")).containsText("Done");
    assertThat(thread.locator("pre")).containsText("1\n4\n9");
    assertThat(thread.getByText("demonstration model")).isVisible();
    assertThat(page.locator(".session")).hasCount(0);
    onlooker.assertAccessible(page);
    page.getByRole(AriaRole.BUTTON, named("Colours: system")).click();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    onlooker.picture(page, "thread-dark");
  }

  @Test
  void several_people_write_edit_react_and_take_back() {
    var page = onlooker.at(channel("people"));
    write(page, "Message #people", "I say *this*");
    speakAs(page, "Grace Hopper");
    write(page, "Message #people", "And I say that to @ada too");
    assertThat(page.locator("article")).hasCount(2);

    field(page, "Message #people").press("ArrowUp");
    var edit = field(page, "Edit message");
    edit.fill("And I say nothing to @ada now");
    edit.press("Enter");

    var last = page.locator("article").last();
    assertThat(last).containsText("And I say nothing to @ada now (edited)");
    assertThat(page.locator("article").first().locator("strong").last()).hasText("this");
    speakAs(page, "Ada Lovelace");
    assertThat(page.locator("article.to-me")).hasCount(1);
    last.focus();
    last.press("r");
    page.getByRole(AriaRole.BUTTON, exactly("tada")).click();
    assertThat(last.locator(".reaction").first()).hasText("🎉1");
    last.locator(".reaction").first().click();
    assertThat(last.locator(".reaction")).hasCount(0);
    var own = page.locator("article").first();
    own.focus();
    own.press("Delete");
    page.getByRole(AriaRole.BUTTON, exactly("Delete")).click();
    assertThat(page.locator("article")).hasCount(1);
  }

  @Test
  void what_is_between_one_person_and_the_app_is_seen_by_nobody_else() throws Exception {
    var channel = channel("whisper");
    var page = onlooker.at(channel);
    page.getByRole(AriaRole.NAVIGATION).getByText("Gorkie").click();
    page.getByRole(AriaRole.BUTTON, exactly("Show me your computer")).click();
    page.locator("a.thread").click();
    assertThat(thread(page).locator("pre")).containsText("$ uname");
    onlooker.says(
        "chat.postEphemeral",
        Map.of(
            "channel", onlooker.slack().channel(channel).id(),
            "user", onlooker.slack().person("ada").id(),
            "text", "for your eyes"));
    page.navigate(onlooker.url("archives/" + onlooker.slack().channel(channel).id()));
    assertThat(page.getByText("for your eyes")).isVisible();
    assertThat(page.getByText("Only visible to you")).isVisible();

    speakAs(page, "Grace Hopper");

    assertThat(page.getByText("for your eyes")).hasCount(0);
    page.getByRole(AriaRole.NAVIGATION).getByText("Gorkie").click();
    assertThat(page.getByText("This is between you and Gorkie")).isVisible();
  }

  @Test
  void files_are_taken_by_choice_drop_and_paste_and_can_be_had_again() throws Exception {
    var page = onlooker.at(channel("files"));
    var csv = "name,born\nAda,1815\nGrace,1906\n".getBytes(UTF_8);
    page.locator("input[type=file]").setInputFiles(new FilePayload("people.csv", "text/csv", csv));
    give(page, "drop", "dataTransfer");
    give(page, "paste", "clipboardData");
    assertThat(page.locator(".attached .chip:not(.loading)")).hasCount(3);

    write(page, "Message #files", "three of them");

    var message = page.locator("article").last();
    assertThat(message.locator(".picture img")).hasCount(2);
    assertThat(message.locator(".preview pre")).containsText("Grace,1906");
    var download = page.waitForDownload(() -> message.locator("a.chip").click());
    assertEquals("people.csv", download.suggestedFilename());
    assertArrayEquals(csv, Files.readAllBytes(download.path()));
    message.locator(".picture button").first().click();
    assertThat(page.getByRole(AriaRole.DIALOG).locator("img")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
  }

  @Test
  void blocks_are_drawn_and_nothing_in_them_becomes_a_part_of_the_page() throws Exception {
    var channel = channel("blocks");
    var page = onlooker.at(channel);
    assertThat(page.locator(".composer")).isVisible();
    try (var blocks =
        Objects.requireNonNull(PageIT.class.getResourceAsStream("/way/blocks.json"))) {
      onlooker.says(
          "chat.postMessage",
          Map.of(
              "channel",
              onlooker.slack().channel(channel).id(),
              "text",
              "fallback",
              "blocks",
              new String(blocks.readAllBytes(), UTF_8)));
    }
    var said =
        "<script>hacked=1</script> <img src=x onerror=hacked=1> `</code><b>` :tada: &lt;b&gt;";
    onlooker.slack().say(channel, "grace", said);

    var shown = page.locator("article").first();
    assertThat(shown.locator(".plan .task")).hasCount(4);
    assertThat(shown.locator(".task .sign.in_progress")).hasCount(1);
    assertThat(shown.locator(".markdown table td").first()).hasText("alpha");
    assertThat(shown.locator(".markdown ol > li")).hasCount(2);
    assertThat(shown.locator(".markdown li li")).hasText("nested");
    assertThat(shown.locator(".markdown pre")).hasText("x < 3 & \"<b>\"");
    assertThat(shown.getByRole(AriaRole.BUTTON, inner("Approve"))).isVisible();
    assertThat(shown.locator(".rich li")).containsText("first point");
    assertThat(shown.locator(".context")).hasText("12 s · 3 steps");
    assertThat(shown.locator("a[href^=javascript]")).hasCount(0);
    assertThat(shown.locator("img:not(.avatar)")).hasCount(0);
    assertThat(page.locator("article").last().locator(".text"))
        .hasText(said.replace("`", "").replace(":tada:", "🎉"));
    assertEquals(true, page.evaluate("typeof hacked === 'undefined'"));
    onlooker.assertAccessible(page);
    shown.getByRole(AriaRole.BUTTON, inner("Approve")).click();
    page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, inner("Do it")).click();
    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
    shown.locator(".plan > .title").click();
    assertThat(shown.locator(".plan .task")).hasCount(0);
  }

  @Test
  void the_two_dialects_are_told_apart() throws Exception {
    var channel = channel("dialects");
    var page = onlooker.at(channel);
    var words = "*one* **two** _three_ `four` ~five~ ~~six~~ [seven](https://example.org) # eight";
    var blocks =
        """
        [{"type": "section", "text": {"type": "mrkdwn", "text": "%s"}}, {"type": "markdown", "text": "%s"}]
        """;

    onlooker.says(
        "chat.postMessage",
        Map.of(
            "channel",
            onlooker.slack().channel(channel).id(),
            "text",
            "fallback",
            "blocks",
            blocks.formatted(words, words)));

    var mrkdwn = page.locator("article .section");
    assertThat(mrkdwn.locator("strong, em, code, s, a"))
        .hasText(new String[] {"one", "three", "four", "five"});
    assertThat(mrkdwn).containsText("**two**");
    assertThat(mrkdwn).containsText("[seven](");
    var markdown = page.locator("article .markdown");
    assertThat(markdown.locator("em")).hasText(new String[] {"one", "three"});
    assertThat(markdown.locator("strong, code, s, a"))
        .hasText(new String[] {"two", "four", "six", "seven"});
  }

  @Test
  void the_apps_own_page_shows_what_was_chosen_there() throws Exception {
    var page = onlooker.at(channel("home"));
    speakAs(page, "Alan Turing");
    page.getByRole(AriaRole.NAVIGATION, named("Channels")).getByText("Gorkie").click();
    page.getByRole(AriaRole.LINK, exactly("Home")).click();
    assertThat(page.getByText("Your turns today: 0")).isVisible();
    onlooker.assertAccessible(page);

    page.getByLabel("The model that works for you").selectOption("local/another");
    var mind = page.getByRole(AriaRole.TEXTBOX, named("What I am to keep in mind"));
    mind.fill("Answer like a pirate");
    page.getByRole(AriaRole.BUTTON, exactly("Save")).click();
    onlooker.slack().awaitHome("alan", "Answer like a pirate", Stage.PATIENCE);
    page.reload();

    assertThat(mind).hasValue("Answer like a pirate");
    assertThat(page.getByLabel("The model that works for you")).hasValue("local/another");
    speakAs(page, "Ada Lovelace");
    assertThat(mind).hasValue("");
    page.getByRole(AriaRole.LINK, exactly("Messages")).click();
    assertThat(field(page, "Message Gorkie")).isVisible();
  }

  @Test
  void the_apps_command_and_its_shortcut_are_offered() {
    var channel = channel("offers");
    onlooker.slack().say(channel, "grace", "Somebody should count the ducks");
    var page = onlooker.at(channel);
    field(page, "Message #offers").pressSequentially("/go");
    assertThat(page.locator(".names li")).containsText("Ask for help");
    page.keyboard().press("Enter");
    field(page, "Message #offers").pressSequentially("permissions");
    page.keyboard().press("Enter");
    assertThat(page.locator("article.private")).containsText("bypass");

    field(page, "Message #offers").fill("/nonsense");
    page.keyboard().press("Enter");
    assertThat(page.locator(".said")).hasText("/nonsense is not a valid command.");
    assertThat(field(page, "Message #offers")).hasValue("/nonsense");
    page.locator("article").first().focus();
    page.keyboard().press("m");
    page.getByRole(AriaRole.MENUITEM, named("Continue in a sandbox")).click();

    page.locator("a.thread").click();
    assertThat(thread(page).getByText("demonstration model")).isVisible();
    field(page, "Reply…").fill("/gorkie status");
    page.keyboard().press("Enter");
    assertThat(page.locator(".said")).containsText("not supported in threads");
  }

  @Test
  void another_workspace_of_the_same_slack_has_a_page_of_its_own() {
    var other = onlooker.slack().beside("T0NEIGHBOUR", "Neighbour");
    other.removeApp("random");
    other.say("general", "grace", "said next door");
    var page = onlooker.page();

    page.navigate(other.url().toString());

    assertThat(page.getByText("Neighbour workspace")).isVisible();
    assertThat(page.locator("article")).containsText("said next door");
    page.getByRole(AriaRole.NAVIGATION).getByText("random").click();
    write(page, "Message #random", "only over here");
    assertThat(page.locator("article")).containsText("only over here");
    assertThat(page).hasURL(other.url() + "archives/" + other.channel("random").id());
    assertFalse(
        onlooker.slack().threads("random").stream()
            .anyMatch(thread -> thread.plain().contains("only over here")));
  }

  @Test
  void a_run_is_stopped_by_slacks_own_button_and_by_the_cards() {
    var page = onlooker.at(channel("stops"));
    write(page, "Message #stops", "@gorkie $ sleep 600");
    page.locator("a.thread").click();
    var thread = thread(page);

    thread.locator(".at-work").getByRole(AriaRole.BUTTON, inner("Stop")).click();
    assertThat(thread.getByText("Stopped.")).hasCount(1);
    assertThat(thread.locator(".at-work")).hasCount(0);

    write(page, "Reply…", "$ sleep 601");
    thread.locator(".actions").getByRole(AriaRole.BUTTON, inner("Stop")).click();
    assertThat(thread.getByText("Stopped.")).hasCount(2);
  }

  @Test
  void what_is_new_is_marked_and_every_message_has_an_address() throws Exception {
    var quiet = channel("quiet");
    var busy = channel("busy");
    var root = onlooker.slack().say(busy, "grace", "the root");
    var reply = onlooker.slack().reply(busy, root, "alan", "the reply one is led to");
    var page = onlooker.at(quiet);
    var line = page.getByRole(AriaRole.NAVIGATION).locator("a", has("busy"));
    assertThat(line).hasClass(Pattern.compile("unread"));
    onlooker.slack().say(busy, "grace", "@ada look");

    assertThat(line.locator(".badge")).hasText("1");
    line.click();
    assertThat(line).not().hasClass(Pattern.compile("unread"));
    page.navigate(
        onlooker.url(
            "archives/%s/p%s?thread_ts=%s"
                .formatted(onlooker.slack().channel(busy).id(), reply.replace(".", ""), root)));
    assertThat(thread(page).locator("article.pointed")).hasText(Pattern.compile("one is led to"));

    page.keyboard().press("Control+k");
    page.getByRole(AriaRole.COMBOBOX, named("A channel")).fill("quie");
    page.keyboard().press("Enter");
    assertThat(page.locator(".channel h1")).hasText("quiet");
    page.keyboard().press("Alt+ArrowUp");
    assertThat(page.locator(".channel h1")).not().hasText("quiet");
    page.locator("main").focus();
    page.keyboard().press("?");
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Keyboard shortcuts");
    onlooker.assertAccessible(page);
    page.keyboard().press("Escape");
    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
  }

  @Test
  void a_phone_shows_one_thing_at_a_time() throws Exception {
    var channel = channel("phone");
    var root =
        onlooker.slack().say(channel, "grace", "a word, and `" + "a_long_word_".repeat(9) + "`");
    onlooker.slack().reply(channel, root, "alan", "a reply");
    var page = onlooker.page(390, 844);
    page.navigate(onlooker.url(""));
    page.getByRole(AriaRole.BUTTON, exactly("Channels")).click();
    page.getByRole(AriaRole.NAVIGATION).locator("a", has("phone")).click();
    assertThat(page.getByRole(AriaRole.NAVIGATION)).isHidden();

    page.locator("a.thread").click();

    assertThat(thread(page).getByText("a reply")).isVisible();
    assertThat(page.getByRole(AriaRole.MAIN)).isHidden();
    assertEquals(390, page.evaluate("document.documentElement.scrollWidth"));
    onlooker.assertAccessible(page);
    page.getByRole(AriaRole.BUTTON, exactly("Back to the channel")).click();
    assertThat(page.getByRole(AriaRole.MAIN)).isVisible();
  }

  @Test
  void a_page_that_was_cut_off_comes_back_and_has_missed_nothing() {
    var channel = channel("cut-off");
    var page = onlooker.page();
    // The first stream is broken off before it has said a word, as by a laptop that falls asleep.
    page.route("**/_local/feed", route -> route.abort(), new Page.RouteOptions().setTimes(1));

    page.navigate(onlooker.url("archives/" + onlooker.slack().channel(channel).id()));
    onlooker.slack().say(channel, "grace", "said meanwhile");

    assertThat(page.getByText("said meanwhile")).isVisible();
    assertThat(page.getByText("Reconnecting")).hasCount(0);
    onlooker.forgive("net::ERR_FAILED");
  }

  @Test
  void another_page_in_the_same_browser_may_not_act_here() {
    var page = onlooker.page();
    page.navigate(onlooker.url(""));

    var refused =
        page.request()
            .post(
                onlooker.url("_local/say"),
                RequestOptions.create()
                    .setHeader("origin", "https://elsewhere.example")
                    .setData(
                        "{\"channel\":\"general\",\"user\":\"ada\",\"text\":\"@gorkie $ id\"}"));

    assertEquals(403, refused.status());
    assertFalse(
        onlooker.slack().threads("general").stream().anyMatch(one -> one.plain().contains("$ id")));
  }

  private String channel(String name) {
    return onlooker.slack().addChannel(name, Channel.Kind.PRIVATE).name();
  }

  private static Locator field(Page page, String label) {
    return page.getByRole(AriaRole.TEXTBOX, exactly(label));
  }

  private static void write(Page page, String label, String text) {
    field(page, label).fill(text);
    page.keyboard().press("Enter");
    assertThat(field(page, label)).isEmpty();
  }

  private static void speakAs(Page page, String name) {
    page.getByLabel("You speak as").selectOption(name);
  }

  private static Locator thread(Page page) {
    return page.getByRole(AriaRole.COMPLEMENTARY, exactly("Thread"));
  }

  /// A picture comes with an event, as the browser brings one.
  private static void give(Page page, String event, String field) {
    page.locator("textarea")
        .evaluate(
            """
            (node, [event, field, pixel]) => {
              const bytes = Uint8Array.from(atob(pixel), (one) => one.charCodeAt(0))
              const files = new DataTransfer()
              files.items.add(new File([bytes], `${event}.png`, { type: 'image/png' }))
              const given = new Event(event, { bubbles: true, cancelable: true })
              given[field] = files
              node.dispatchEvent(given)
            }
            """,
            new Object[] {event, field, PIXEL});
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return named(name).setExact(true);
  }

  private static Locator.GetByRoleOptions inner(String name) {
    return new Locator.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Locator.LocatorOptions has(String text) {
    return new Locator.LocatorOptions().setHasText(text);
  }
}
