package dev.gorkie.way;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Threads as people have them, one of each kind: what happens in them is seen to, and the docs' pictures are taken of them.
///
/// What the model says is scripted; what it does is done. Other tests try the same things, so that of all these only the
/// question is asked where nobody wants pictures.
class PageThreadsIT {

  private static final String SALES =
      """
      region,kind,euros
      North,sale,48210
      South,sale,39105
      North,return,-3120
      West,sale,27640
      South,return,-940
      East,sale,33875
      West,return,-5210
      """;

  private static final String BY_REGION =
      """
      awk -F, '%s { sum[$1] += $3 } END { for (region in sum) printf "| %%s | %%d |\\n", region, sum[region] }' attachments/*/sales.csv | sort
      """
          .strip();

  private static final String ANAGRAMS =
      """
      export function anagrams(words) {
        const groups = new Map()
        for (const word of words) {
          const key = [...word%s].sort().join('')
          groups.set(key, [...(groups.get(key) ?? []), word])
        }
        return [...groups.values()].filter((group) => group.length > 1)
      }
      """;

  private static final String ANAGRAMS_TEST =
      """
      import assert from 'node:assert'
      import { test } from 'node:test'
      import { anagrams } from './anagrams.mjs'

      test('words of the same letters', () => assert.deepEqual(anagrams(['art', 'rat', 'cat']), [['art', 'rat']]))
      test('capitals count as small letters', () => assert.deepEqual(anagrams(['Silent', 'listen']), [['Silent', 'listen']]))
      test('nothing in, nothing out', () => assert.deepEqual(anagrams([]), []))
      """;

  private static final String DRAW =
      """
      import { readFileSync, writeFileSync } from 'node:fs'
      const rows = readFileSync(process.argv[2], 'utf8').trim().split('\\n').slice(1).map((row) => row.split(','))
      let sum = 0
      const totals = rows.map(([month, visitors]) => [month, visitors, (sum += Number(visitors))])
      writeFileSync('totals.csv', 'month,visitors,total\\n' + totals.map((row) => row.join(',')).join('\\n') + '\\n')
      const bars = totals.map(([month, visitors], i) => `<rect x="${30 + i * 70}" y="${250 - visitors / 2}" width="46" height="${visitors / 2}" fill="#1264a3"/><text x="${53 + i * 70}" y="270">${month}</text><text x="${53 + i * 70}" y="${244 - visitors / 2}">${visitors}</text>`)
      writeFileSync('visitors.svg', `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 290" width="600" height="290" font-family="sans-serif" font-size="12" text-anchor="middle"><rect width="600" height="290" fill="#fff"/>${bars.join('')}</svg>`)
      console.log(`${rows.length} months, ${sum} visitors`)
      """;

  // What takes as long as nobody ends it.
  private static final String ENDLESS = "setInterval(() => {}, 1_000)\n";

  private static final int MONTHS = 9;

  private final Onlooker onlooker = Onlooker.open();

  @AfterEach
  void leave() {
    onlooker.world().model().release();
    onlooker.world().model().forgetScript();
    onlooker.leave();
  }

  @Test
  void a_question_is_answered_by_finding_out() throws Exception {
    onlyForPictures();
    script(
        "primes below a million",
        bash(
            "is counting them",
            "seq 1000000 | factor | awk 'NF == 2 && $2 % 10 == 7' | wc -l | xargs printf %d"),
        Reply.says(
            "**{{result}}** of the primes below one million end in 7.\n\nI counted them: there are 78,498 primes in all, and apart from 2 and"
                + " 5 each ends in 1, 3, 7 or 9. The four share them almost evenly, so a quarter is what one would expect."));

    var page =
        begin(
            "maths",
            "@gorkie How many of the primes below a million end in 7? Please don’t guess.");

    assertThat(answer(page)).containsText("19621 of the primes");
    isOver(page);
    onlooker.pictureOfThread(page, "thread-new");
    page.setViewportSize(390, 760);
    onlooker.picture(page, "phone");
  }

  @Test
  void a_long_run_tells_what_it_does() throws Exception {
    onlyForPictures();
    var count = "node --test 2>&1 | grep -E '^# (pass|fail)'";
    script(
        "anagrams",
        Reply.says("I’ll write down first what it has to do, and measure last")
            .calling(write("is writing the tests", "anagrams.test.mjs", ANAGRAMS_TEST)),
        Reply.calls(write("is writing the program", "anagrams.mjs", ANAGRAMS.formatted(""))),
        bash("is running the tests", count),
        Reply.says("Capitals are letters of their own so far")
            .calling(
                write(
                    "is treating capitals as small letters",
                    "anagrams.mjs",
                    ANAGRAMS.formatted(".toLowerCase()"))),
        bash("is running the tests again", count),
        bash(
            "is making up 200,000 words",
            "node -e 'for (let i = 0; i < 2e5; i++) console.log((i * 2654435761 % 2 ** 32).toString(36))' > words.txt; wc -l < words.txt"),
        Reply.calls(write("is writing the measurement", "measure.mjs", ENDLESS)),
        bash("is measuring it ten thousand times", "node measure.mjs words.txt"));

    var page =
        begin(
            "tools",
            "@gorkie Please write a small module that finds anagrams, with tests, and tell me how it does with 200,000 words.");

    var tasks = page.locator(".thread .task");
    assertThat(tasks.filter(has("Running the tests again"))).containsText("# pass 3 # fail 0");
    assertThat(tasks.last()).containsText("Measuring it ten thousand times");
    assertThat(page.locator(".thread .at-work")).containsText("Gorkie is working");
    onlooker.pictureOfThread(page, "thread-long-run");
    stop(page);
  }

  @Test
  void what_is_said_meanwhile_is_taken_up() throws Exception {
    onlyForPictures();
    script(
        "Leave out what came back",
        bash("is adding up the sales alone", BY_REGION.formatted("$2 == \"sale\"")),
        Reply.says(
            "Without what came back:\n\n| Region | Euros |\n|---|---:|\n{{result}}\n\nNorth leads, and the West is last either way; there, nearly a fifth of the sales came back."));
    script(
        "sales by region",
        bash("is looking at the table", "head -3 attachments/*/sales.csv"),
        bash("is adding up by region", BY_REGION.formatted("NR > 1"))
            .ending(new Ending.Hanging(0)));

    var page =
        begin(
            "sales",
            "@gorkie Which region sold most last quarter? A table of the sales by region, please.",
            Upload.text("sales.csv", SALES));
    assertThat(page.locator(".thread .task").filter(has("Looking at the table")))
        .containsText("North,sale,48210");
    say(page, "Leave out what came back, please");

    assertThat(page.locator(".thread .reaction").first()).hasText("✅1");
    onlooker.world().model().release();
    assertThat(answer(page).locator("td").nth(3)).hasText("48210");
    isOver(page);
    onlooker.pictureOfThread(page, "thread-steered");
  }

  @Test
  void a_run_is_stopped() throws Exception {
    onlyForPictures();
    script(
        "all the links",
        bash("is listing the pages", "seq -f 'page-%03g.html' 412 > pages.txt; wc -l < pages.txt"),
        Reply.calls(write("is writing a small program for it", "follow.mjs", ENDLESS)),
        bash("is following each link", "node follow.mjs pages.txt"));
    var page = begin("handbook", "@gorkie Please check all the links in our handbook.");
    assertThat(page.locator(".thread .task").last()).containsText("Following each link");

    stop(page);

    assertThat(page.locator(".thread .plan > .title")).containsText("Stopped");
    onlooker.pictureOfThread(page, "thread-stopped");
  }

  @Test
  void what_must_be_allowed_is_asked_for() throws Exception {
    var channel = onlooker.slack().addChannel("builds", Channel.Kind.PRIVATE);
    onlooker.slack().command(channel.id(), "ada", "/gorkie", "permissions ask");
    script(
        "older than a month",
        bash("is removing what is older than a month", "rm -rv builds/2026-0* | grep -c directory"),
        Reply.says("Done. Builds that are gone: {{result}}"));

    var page = begin("builds", "@gorkie Please remove all builds that are older than a month.");

    var allow = page.locator(".thread").getByRole(AriaRole.BUTTON, named("Allow"));
    assertThat(allow).isVisible();
    assertThat(page.locator(".thread .rich pre")).containsText("rm -rv builds/2026-0*");
    assertThat(page.locator(".session")).hasText("Waits for you");
    assertThat(page.locator(".thread .at-work")).hasCount(0);
    onlooker.assertAccessible(page);
    onlooker.pictureOfThread(page, "thread-approval");
    for (var month = 1; month <= MONTHS; month++) {
      Files.createDirectories(onlooker.sandboxOf("builds").work().resolve("builds/2026-0" + month));
    }
    allow.click();
    assertThat(page.locator(".thread").getByText("Allowed by ada.")).isVisible();
    assertThat(allow).hasCount(0);
    assertThat(answer(page)).containsText("Builds that are gone: " + MONTHS);
    isOver(page);
  }

  @Test
  void what_went_wrong_is_said() throws Exception {
    onlyForPictures();
    script(
        "release notes",
        bash("is reading what was merged", "seq -f 'merged %g' 37 | tee merged.txt | tail -1"),
        Reply.refuses(503, "overloaded"));

    var page =
        begin("releases", "@gorkie Please draft the release notes from what was merged this week.");

    assertThat(page.locator(".thread .plan > .title")).containsText("Failed");
    assertThat(answer(page)).containsText("Your files are safe");
    isOver(page);
    onlooker.pictureOfThread(page, "thread-failure");
  }

  @Test
  void the_conversation_outlives_its_computer() throws Exception {
    onlyForPictures();
    script(
        "cinema",
        bash("is noting it down", "echo 'Friday, 20:15, row 7' > cinema.txt"),
        Reply.says("Noted: the cinema on Friday at 20:15, row 7."));
    script(
        "When was that again",
        Reply.says(
            "On Friday at 20:15, in row 7. You told me so above; my note of it went with the old computer."));
    var page =
        begin("friends", "@gorkie Keep in mind that we go to the cinema on Friday, 20:15, row 7.");
    assertThat(answer(page)).containsText("Noted");
    isOver(page);
    onlooker.world().daytona().delete(onlooker.sandboxOf("friends").id());

    say(page, "When was that again?");

    assertThat(answer(page).last())
        .containsText(Pattern.compile("new computer.*On Friday at 20:15", Pattern.DOTALL));
    isOver(page);
    onlooker.pictureOfThread(page, "thread-resumed");
  }

  @Test
  void files_come_and_go() throws Exception {
    onlyForPictures();
    script(
        "visitors",
        Reply.calls(write("is writing a small program", "draw.mjs", DRAW)),
        bash("is drawing", "node draw.mjs attachments/*/visitors.csv"),
        show("is showing the picture", "visitors.svg", "Visitors by month"),
        show("is showing the table", "totals.csv", "Running totals"),
        Reply.says(
            "There they are. July was the best month with 355; by the end of August there were 1,965 visitors in all."));

    var page =
        begin(
            "website",
            "@gorkie Please draw the visitors of each month, and give me a table with a running total.",
            Upload.text(
                "visitors.csv",
                "month,visitors\nJan,120\nFeb,180\nMar,150\nApr,240\nMay,310\nJun,280\nJul,355\nAug,330\n"));

    assertThat(page.locator(".thread .picture img")).isVisible();
    assertThat(page.locator(".thread .preview").last()).containsText("Mar,150,450");
    assertThat(answer(page)).containsText("July was the best month");
    isOver(page);
    onlooker.pictureOfThread(page, "thread-files");
  }

  private static void onlyForPictures() {
    assumeTrue(
        Onlooker.isPaintedFor(),
        "This picture of the docs is taken by “make test-page PICTURES=1”");
  }

  private void script(String words, Reply... replies) {
    onlooker.world().model().script(Rule.whenContaining(words, replies));
  }

  private static Reply.Spoken bash(String status, String command) {
    return Reply.calls(phrased(ToolCall.bash(command), status));
  }

  private static ToolCall write(String status, String path, String content) {
    return phrased(ToolCall.write(path, content), status);
  }

  private static Reply show(String status, String path, String title) {
    return Reply.calls(phrased(ToolCall.showFile(path, title), status));
  }

  private static ToolCall phrased(ToolCall call, String status) {
    return new ToolCall(call.name(), call.arguments().copy().put("status", status));
  }

  /// Ada begins a thread in a channel, and looks at it.
  private Page begin(String channel, String text, Upload... files) throws IOException {
    var slack = onlooker.slack();
    if (slack.channels().stream().noneMatch(one -> one.name().equals(channel))) {
      slack.addChannel(channel, Channel.Kind.PRIVATE);
    }
    var utterance = Utterance.in(channel, "ada", text);
    for (var file : files) {
      utterance = utterance.with(file);
    }
    var root = slack.say(utterance);
    var page = onlooker.page(1_440, 800);
    page.navigate(
        onlooker.url(
            "archives/%s/p%s?thread_ts=%s"
                .formatted(slack.channel(channel).id(), root.replace(".", ""), root)));
    return page;
  }

  private static void say(Page page, String text) {
    var field = page.locator(".thread textarea");
    field.fill(text);
    field.press("Enter");
    assertThat(page.locator(".thread .leaving")).hasCount(0);
  }

  private static Locator answer(Page page) {
    return page.locator(".thread .content > .markdown");
  }

  private static void isOver(Page page) {
    assertThat(page.locator(".thread .at-work")).hasCount(0);
    assertThat(page.locator(".thread .session")).hasCount(0);
  }

  private static void stop(Page page) {
    page.locator(".at-work").getByRole(AriaRole.BUTTON, named("Stop")).click();
    assertThat(page.locator(".thread").getByText("Stopped.").last()).isVisible();
    isOver(page);
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Locator.FilterOptions has(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }
}
