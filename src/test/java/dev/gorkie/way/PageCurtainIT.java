package dev.gorkie.way;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.slack.Channel;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is behind a thread, and what the people in it see when somebody pulls the levers there.
class PageCurtainIT {

  private static final int PIECE_CHARACTERS = 32;

  private final Onlooker onlooker = Onlooker.open();

  @AfterEach
  void leave() {
    onlooker.leave();
  }

  @Test
  void everything_behind_a_thread_is_there_to_be_seen() throws Exception {
    var page = behind("curtain", "@gorkie $ echo seen > seen.txt; cat seen.txt");
    var curtain = curtain(page);

    answers(page, 1);

    assertThat(part(page, "Lease")).containsText(Pattern.compile("fence\\d{13}"));
    assertThat(part(page, "Turns and inbox").locator(".mark.good")).hasText("DONE");
    open(page, "Deliveries");
    assertThat(part(page, "Deliveries")).containsText("app_mention");
    open(page, "Outbox");
    assertThat(part(page, "Outbox").getByText("confirmed")).hasCount(2);
    open(page, "Calls to Slack");
    assertThat(part(page, "Calls to Slack")).containsText("chat.postMessage");
    open(page, "Computer");
    assertThat(part(page, "Computer")).containsText("keeper.mjs keep");
    open(page, "Journal");
    assertThat(part(page, "Journal").locator(".records > li").first())
        .containsText("agent_settled");
    open(page, "Terminal");
    assertThat(part(page, "Terminal").locator("pre").first()).containsText("keeper_ready");
    open(page, "Files");
    curtain.getByRole(AriaRole.BUTTON, named("seen.txt")).click();
    assertThat(part(page, "Files").locator("pre")).hasText("seen");
    onlooker.assertAccessible(page);
  }

  @Test
  void deliveries_come_twice_late_as_a_retry_and_in_the_wrong_order() throws Exception {
    var page = behind("deliveries", "@gorkie $ echo first");
    answers(page, 1);

    var answers = 1;
    for (var way : List.of("twice", "3 s late", "only as a retry")) {
      deliver(page, way);
      reply(page, "$ echo " + way);
      answers(page, ++answers);
    }
    pull(page, "Deliver the last message again");
    open(page, "Deliveries");
    assertThat(part(page, "Deliveries").getByText("retry 1 (connection_failed)")).isVisible();
    assertThat(part(page, "Deliveries").getByText("connection_failed").first()).isVisible();
    deliver(page, "when I let it");
    reply(page, "$ echo older");
    reply(page, "$ echo newer");
    page.locator(".thread").getByRole(AriaRole.BUTTON, named("Deliver the newest first")).click();

    var printed = page.locator(".thread .markdown pre");
    assertThat(printed.getByText("older").last()).isVisible();
    assertThat(printed.getByText("newer").last()).isVisible();
  }

  @Test
  void slack_loses_an_answer_and_takes_no_calls_for_a_while() throws Exception {
    var page = behind("losses", "@gorkie $ echo first");
    answers(page, 1);
    pull(page, "Lose the answer to the next post");
    reply(page, "$ echo said-once");

    assertThat(page.locator(".thread .markdown pre").getByText("said-once")).hasCount(1);
    open(page, "Calls to Slack");
    assertThat(part(page, "Calls to Slack").getByText("answer lost")).hasCount(1);
    pull(page, "429 for a minute");
    assertThat(curtain(page).getByText("Slack answers 429 for another")).isVisible();
    reply(page, "$ echo patience");

    answers(page, 3);
    assertThat(part(page, "Calls to Slack").getByText("ratelimited").first()).isVisible();
    pull(page, "All well again");
    assertEquals(
        1,
        onlooker.slack().threads("losses").getFirst().byApp().stream()
            .filter(message -> message.text().contains("$ echo said-once\nsaid-once"))
            .count());
  }

  @Test
  void the_computer_is_cut_off_stopped_archived_and_its_processes_killed() throws Exception {
    // That nobody hears of a keeper any more is noticed after a while; the others are tried
    // meanwhile.
    var meanwhile = behind("keeper", "@gorkie $ sleep 2; echo after-the-keeper");
    assertThat(meanwhile.locator(".thread .task").getByText("echo after-the-keeper").first())
        .isVisible();
    pull(meanwhile, "Kill the keeper");
    var page = behind("computer", "@gorkie $ echo first");
    answers(page, 1);
    open(page, "Computer");

    reply(page, "$ sleep 2; echo after-the-cut");
    assertThat(page.locator(".thread .task").getByText("Running sleep 2")).isVisible();
    pull(page, "Cut the terminal");
    answers(page, 2);
    pull(page, "Stop it");
    assertThat(part(page, "Computer").locator("summary")).containsText("stopped");
    reply(page, "$ echo woken");
    answers(page, 3);
    pull(page, "Archive it");
    assertThat(part(page, "Computer").locator("summary")).containsText("archived");
    reply(page, "$ echo restored");
    answers(page, 4);
    reply(page, "$ sleep 600");
    assertThat(page.locator(".thread .task").getByText("Running sleep 600")).isVisible();
    pull(page, "Kill Pi");
    assertThat(page.locator(".thread").getByText("say “continue”").last()).isVisible();
    said(meanwhile, 1);
  }

  @Test
  void an_answer_grows_before_ones_eyes_and_is_whole_though_slack_ends_its_stream()
      throws Exception {
    var story = "Once upon a time there was a stream. ".repeat(40) + "And it reached the sea.";
    var half = new Ending.Hanging(story.length() / 2 / PIECE_CHARACTERS);
    var model = onlooker.world().model();
    model.script(
        Rule.whenContaining(
            "tell-me-a-story",
            Reply.says(story).paced(PIECE_CHARACTERS, Duration.ZERO).ending(half)));
    var page = behind("streams", "@gorkie tell-me-a-story");
    var answer = page.locator(".thread .content > .markdown");
    assertThat(page.locator(".thread .writing")).isVisible();
    assertThat(answer).containsText("there was a stream");
    assertThat(answer).not().containsText("reached the sea");

    pull(page, "End the stream");
    assertThat(page.locator(".thread .writing")).hasCount(0);
    model.release();

    assertThat(answer).hasText(story);
    assertThat(page.locator(".thread .at-work")).hasCount(0);
    model.forgetScript();
  }

  @Test
  void a_worker_that_is_killed_is_followed_by_another() throws Exception {
    var page = behind("workers", "@gorkie $ sleep 8; echo after-all");
    assertThat(page.locator(".thread .task").getByText("Running sleep 8")).isVisible();
    var fence = part(page, "Lease").locator("dd").nth(3).innerText();

    pull(page, "Kill the worker");
    onlooker.startAnother();

    answers(page, 1);
    assertThat(page.locator(".thread .markdown pre")).containsText("after-all");
    assertThat(part(page, "Lease").locator("dd").nth(3)).not().hasText(fence);
  }

  /// A thread begins, and one looks behind it.
  private Page behind(String name, String text) {
    onlooker.slack().addChannel(name, Channel.Kind.PRIVATE);
    var page = onlooker.page(1_600, 1_000);
    page.navigate(onlooker.url("archives/" + onlooker.slack().channel(name).id()));
    var field = page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Message #"));
    field.fill(text);
    field.press("Enter");
    page.locator("a.thread").click();
    page.keyboard().press("Control+b");
    return page;
  }

  private static void reply(Page page, String text) {
    var field = page.locator(".thread textarea");
    field.fill(text);
    field.press("Enter");
    assertThat(page.locator(".thread .leaving")).hasCount(0);
  }

  /// So many turns have ended, and nothing is under way.
  private static void answers(Page page, int count) {
    assertThat(page.locator(".thread .markdown pre")).hasCount(count);
    assertThat(page.locator(".thread .at-work")).hasCount(0);
  }

  /// So many last words were said, whatever they are, and nothing is under way.
  private static void said(Page page, int count) {
    assertThat(page.locator(".thread .content > .markdown")).hasCount(count);
    assertThat(page.locator(".thread .at-work")).hasCount(0);
  }

  private static void pull(Page page, String lever) {
    curtain(page).getByRole(AriaRole.BUTTON, named(lever)).click();
    assertThat(page.locator(".said")).isVisible();
  }

  private static void deliver(Page page, String way) {
    page.getByLabel("Slack delivers my next messages").selectOption(way);
  }

  private static Locator part(Page page, String name) {
    return curtain(page)
        .locator("details.part")
        .filter(
            new Locator.FilterOptions()
                .setHas(
                    page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name))));
  }

  private static void open(Page page, String name) {
    part(page, name).locator("> summary").click();
  }

  private static Locator curtain(Page page) {
    return page.getByRole(
        AriaRole.COMPLEMENTARY, new Page.GetByRoleOptions().setName("Behind the curtain"));
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(name);
  }
}
