package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.ThreadKey;
import dev.gorkie.slack.Attachment.Access;
import dev.gorkie.slack.MessageEvent.Kind;
import dev.gorkie.slack.SlackEvent.Deleted;
import dev.gorkie.slack.SlackEvent.Edited;
import dev.gorkie.slack.SlackEvent.Ignored;
import dev.gorkie.slack.SlackEvent.Malformed;
import dev.gorkie.slack.SlackEvent.Reason;
import dev.gorkie.slack.SlackEvent.Said;
import dev.gorkie.slack.SlackEvent.Unknown;
import dev.gorkie.slack.SlackEvent.UrlVerification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlackEventTest {

  @Test
  void a_verification_wants_its_challenge_back() {
    var event = assertInstanceOf(UrlVerification.class, read("url-verification"));

    assertEquals("3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P", event.challenge());
  }

  @Test
  void a_mention_is_read_whole() {
    var message = said("app-mention");

    assertEquals(
        new MessageEvent(
            "A0GORKIE0",
            "Ev0000000001",
            Kind.APP_MENTION,
            "T0AAAAAAA",
            "C0GENERAL",
            false,
            "1790000000.000100",
            Optional.empty(),
            "U0ALICE00",
            Optional.of("U0GORKIE0"),
            true,
            "<@U0GORKIE0> what is in the report?",
            List.of(),
            false,
            List.of(),
            List.of()),
        message);
    assertEquals("T0AAAAAAA:C0GENERAL:1790000000.000100", message.threadKey().toString());
  }

  @Test
  void the_two_deliveries_of_one_mention_are_one_message() {
    var mention = said("app-mention");
    var message = said("mention-as-message");

    assertNotEquals(mention.eventId(), message.eventId());
    assertEquals(mention.ts(), message.ts());
    assertEquals(mention.threadKey(), message.threadKey());
    assertEquals(Kind.MESSAGE, message.kind());
    assertTrue(message.mentionsUs());
  }

  @Test
  void a_reply_belongs_to_the_thread_of_its_root() {
    var message = said("reply-in-thread");

    assertEquals(said("app-mention").threadKey(), message.threadKey());
    assertFalse(message.mentionsUs());
    assertEquals(
        new Address(
            new dev.gorkie.ThreadKey("T0AAAAAAA", "C0GENERAL", "1790000000.000100"),
            "C0GENERAL",
            "1790000000.000100",
            "1790000060.000200",
            "U0ALICE00"),
        message.address());
  }

  @Test
  void a_persons_direct_messages_are_one_thread_and_each_is_answered_where_it_was_asked() {
    var first = said("direct-message");
    var second = said("direct-message-in-thread");

    assertTrue(first.direct());
    assertEquals(ThreadKey.direct("T0AAAAAAA", "U0ALICE00"), first.threadKey());
    assertEquals(first.threadKey(), second.threadKey());
    assertEquals("1790000000.000100", first.rootTs());
    assertEquals("1790000000.000100", second.rootTs());
  }

  @Test
  void a_group_message_is_a_thread_like_any_in_a_channel() {
    var message = said("group-message");

    assertFalse(message.direct());
    assertEquals("T0AAAAAAA:G0GROUP00:1790000000.000100", message.threadKey().toString());
  }

  @Test
  void in_a_channel_shared_with_another_company_the_team_is_the_one_that_installed_us() {
    assertEquals("T0AAAAAAA", said("shared-channel").team());
  }

  @Test
  void a_message_sent_to_the_channel_as_well_stays_in_its_thread() {
    assertEquals("1790000000.000100", said("thread-broadcast").rootTs());
  }

  @Test
  void every_file_says_what_may_be_done_with_it() {
    var files = said("file-share").files();

    assertEquals(
        List.of(Access.OPEN, Access.ASK_FIRST, Access.GONE, Access.EXTERNAL, Access.DENIED),
        files.stream().map(Attachment::access).toList());
    assertEquals(
        new Attachment(
            "F0REPORT0",
            "report.pdf",
            "application/pdf",
            OptionalLong.of(48213),
            Optional.of(
                URI.create(
                    "https://files.slack.com/files-pri/T0AAAAAAA-F0REPORT0/download/report.pdf")),
            Access.OPEN),
        files.getFirst());
    assertEquals(OptionalLong.empty(), files.get(1).bytes());
    assertEquals(Optional.empty(), files.get(1).download());
  }

  @ParameterizedTest
  @CsvSource({
    "our-own-message, OUR_OWN",
    "our-own-card-edit, OUR_OWN",
    "our-own-message-deleted, OUR_OWN",
    "slackbot, SLACKBOTS",
    "channel-join, SUBTYPE",
    "channel-talk, NOT_ADDRESSED",
    "channel-talk-edited, NOT_ADDRESSED",
    "link-unfurled, NOTHING_CHANGED",
    "aside, ASIDE",
    "app-rate-limited, RATE_LIMITED"
  })
  void what_is_no_concern_of_ours_is_ignored(String sample, Reason reason) {
    assertEquals(new Ignored(reason), read(sample));
  }

  @Test
  void what_a_program_says_is_no_persons_and_only_what_it_says_to_us_is_read() {
    var ofBot = said("bot-message");
    var ofBotsUser = said("bot-user-message");

    assertEquals(List.of("B0OTHER00", "U0ALICE00"), ofBot.program());
    assertEquals(List.of("B0OTHER00", "U0OTHERBT"), ofBotsUser.program());
    assertFalse(said("app-mention").isPrograms());
    for (var sample : List.of("bot-message", "bot-user-message")) {
      var talk = new String(bytes(sample), UTF_8).replace("<@U0GORKIE0> ", "");
      assertEquals(new Ignored(Reason.A_BOTS), read(talk.getBytes(UTF_8)));
    }
  }

  @Test
  void a_program_without_a_user_goes_by_its_bots_id_and_gives_no_orders() {
    var sample =
        new String(bytes("bot-message"), UTF_8)
            .replace("\"user\": \"U0ALICE00\",", "")
            .replace("deploy finished", "!new");

    var message = assertInstanceOf(Said.class, read(sample.getBytes(UTF_8))).message();

    assertEquals("B0OTHER00", message.user());
    assertEquals(Optional.empty(), message.command());
    assertFalse(message.isOrder());
  }

  @Test
  void what_a_person_has_before_them_is_read_as_ids_and_no_more_than_five() {
    var many =
        IntStream.range(0, 9)
            .mapToObj(i -> "{\"type\":\"slack#/types/channel_id\",\"value\":\"C%d\"}".formatted(i))
            .collect(Collectors.joining(","));
    var some =
        """
        {"type":"slack#/types/message_context","value":{"channel_id":"C1","message_ts":"1790000000.000100"}},
        {"type":"slack#/types/canvas_id","value":"F1"},{"type":"slack#/types/list_id","value":"F2"},
        {"type":"slack#/types/channel_id","value":"no id"},{"type":"slack#/types/message_context","value":"C1"},
        {"type":"slack#/types/unheard_of","value":"X1"}""";

    assertEquals(
        List.of(
            new Seen(Seen.Kind.MESSAGE, "C1", "1790000000.000100"),
            new Seen(Seen.Kind.CANVAS, "F1", ""),
            new Seen(Seen.Kind.LIST, "F2", "")),
        looking(some).seen());
    assertEquals(Seen.MOST, looking(many).seen().size());
  }

  @Test
  void whoever_looks_is_named_in_the_event_or_beside_it() {
    var beside =
        """
        {"type":"event_callback","api_app_id":"A1","team_id":"T1","event_id":"Ev1",
         "authorizations":[{"team_id":"T1","user_id":"U2","is_bot":%s}],
         "event":{"type":"app_context_changed","context":{}}}
        """;

    assertEquals(Optional.of("D1"), looking("").direct());
    assertEquals("U1", looking("").user());
    assertFalse(looking("").opened());
    assertEquals(
        "U2",
        assertInstanceOf(SlackEvent.Looking.class, read(beside.formatted("false").getBytes(UTF_8)))
            .glance()
            .user());
    assertEquals(new Ignored(Reason.NOT_ADDRESSED), read(beside.formatted("true").getBytes(UTF_8)));
  }

  @Test
  void who_comes_to_talk_with_us_is_told_from_who_comes_to_our_page() {
    assertTrue(assertInstanceOf(SlackEvent.Looking.class, opened("messages")).glance().opened());
    assertInstanceOf(SlackEvent.Visited.class, opened("home"));
    assertEquals(new Ignored(Reason.NOT_ADDRESSED), opened("about"));
  }

  private static SlackEvent opened(String tab) {
    return event("\"type\":\"app_home_opened\",\"tab\":\"" + tab + "\"");
  }

  private static Glance looking(String entities) {
    var event =
        event("\"type\":\"app_context_changed\",\"context\":{\"entities\":[" + entities + "]}");
    return assertInstanceOf(SlackEvent.Looking.class, event).glance();
  }

  private static SlackEvent event(String fields) {
    return read(
        """
        {"type":"event_callback","api_app_id":"A1","team_id":"T1","event_id":"Ev1",
         "event":{"user":"U1","channel":"D1","event_ts":"1790000000.000100",%s}}
        """
            .formatted(fields)
            .getBytes(UTF_8));
  }

  @Test
  void an_edit_brings_the_message_as_it_is_now() {
    var edited = assertInstanceOf(Edited.class, read("message-changed")).message();

    assertEquals("1790000000.000100", edited.ts());
    assertEquals("<@U0GORKIE0> what is in the *second* report?", edited.text());
    assertEquals(said("app-mention").threadKey(), edited.threadKey());
  }

  @Test
  void an_edit_that_takes_our_mention_away_still_concerns_us() {
    var edited = assertInstanceOf(Edited.class, read("mention-edited-away")).message();

    assertFalse(edited.mentionsUs());
  }

  @Test
  void a_deletion_names_the_message_and_its_thread() {
    var deleted = assertInstanceOf(Deleted.class, read("message-deleted"));

    assertEquals("1790000060.000200", deleted.ts());
    assertEquals(Optional.of(said("app-mention").threadKey()), deleted.thread());
  }

  @Test
  void a_deletion_without_the_message_names_at_least_its_ts() {
    var deleted = assertInstanceOf(Deleted.class, read("message-deleted-untold"));

    assertEquals("1790000000.000100", deleted.ts());
    assertEquals(Optional.empty(), deleted.thread());
  }

  @Test
  void a_root_that_became_a_tombstone_is_deleted() {
    var deleted = assertInstanceOf(Deleted.class, read("root-became-tombstone"));

    assertEquals("1790000000.000100", deleted.ts());
  }

  @Test
  void what_we_do_not_know_is_named() {
    assertEquals(new Ignored(Reason.NOT_ADDRESSED), read("reaction-added"));
    var renamed =
        new String(bytes("reaction-added"), UTF_8).replace("reaction_added", "emoji_changed");
    assertEquals(new Unknown("emoji_changed"), read(renamed.getBytes(UTF_8)));
    assertEquals(
        new Unknown("block_actions"), read("{\"type\":\"block_actions\"}".getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "payload=%7B",
        "payload=%7B%22actions%22%3A%5B%7B%22action_id%22%3A%22gorkie_stop%22%7D%5D%7D",
        "{",
        "nonsense",
        "[]",
        "null",
        "1",
        "{}",
        "{} {}",
        "{\"type\":5}",
        "{\"type\":\"url_verification\"}",
        "{\"type\":\"event_callback\"}",
        "{\"type\":\"event_callback\",\"event\":[]}",
        "{\"type\":\"event_callback\",\"event\":{\"type\":\"message\"}}",
        "{\"type\":\"event_callback\",\"event\":{\"type\":\"app_mention\",\"user\":\"U1\",\"text\":\"x\"}}"
      })
  void what_is_not_in_Slacks_form_is_malformed(String body) {
    assertInstanceOf(Malformed.class, read(body.getBytes(UTF_8)));
  }

  @Test
  void bytes_that_are_no_text_are_malformed() {
    assertInstanceOf(Malformed.class, read(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}));
    assertInstanceOf(Malformed.class, read("[".repeat(100_000).getBytes(UTF_8)));
  }

  @Test
  void every_field_that_becomes_part_of_a_key_has_the_form_of_an_id() {
    var genuine = new String(bytes("direct-message"), UTF_8);
    for (var forged :
        List.of(
            genuine.replace("U0ALICE00", "U0:ALICE"),
            genuine.replace("D0ALICE00", "D0/../ALICE"),
            genuine.replace("T0AAAAAAA", ""),
            genuine.replace("1790000000.000100", "yesterday"),
            genuine.replace("Ev0000000001", "Ev 1"),
            genuine.replace("A0GORKIE0", ""))) {
      assertInstanceOf(Malformed.class, read(forged.getBytes(UTF_8)), forged);
    }
  }

  @Test
  void no_cut_or_damaged_delivery_throws() {
    for (var sample : List.of("file-share", "message-changed")) {
      var whole = bytes(sample);
      for (var end = 0; end < whole.length - 2; end += 7) {
        var cut = Arrays.copyOf(whole, end);
        assertInstanceOf(Malformed.class, read(cut));
      }
      for (var at = 0; at < whole.length; at += 3) {
        var damaged = whole.clone();
        damaged[at] ^= 0x15;
        SlackEvent.read(damaged);
      }
    }
  }

  @Test
  void who_is_of_another_company_is_a_stranger_in_a_channel_that_is_shared_with_it() {
    var sample = new String(bytes("app-mention"), UTF_8);
    var ofAnother = sample.replace("\"team\": \"T0AAAAAAA\"", "\"team\": \"T0OTHERCO\"");
    var shared =
        ofAnother.replace("\"is_ext_shared_channel\": false", "\"is_ext_shared_channel\": true");

    assertFalse(assertInstanceOf(Said.class, read(sample.getBytes(UTF_8))).message().stranger());
    assertFalse(assertInstanceOf(Said.class, read(ofAnother.getBytes(UTF_8))).message().stranger());
    assertTrue(assertInstanceOf(Said.class, read(shared.getBytes(UTF_8))).message().stranger());
  }

  @Test
  void a_stop_sign_says_where_and_a_slash_command_what() {
    var reacted =
        """
        {"type":"event_callback","api_app_id":"A1","team_id":"T1","event_id":"Ev9",
         "event":{"type":"reaction_added","user":"U1","reaction":"octagonal_sign",
                  "item":{"type":"message","channel":"C1","ts":"1790000000.000100"},"event_ts":"1790000000.000200"}}
        """;
    var stopping =
        assertInstanceOf(SlackEvent.Stopping.class, read(reacted.getBytes(UTF_8))).reaction();
    var stop = assertInstanceOf(Said.class, read(stopping.asStop("1790000000.000050"))).message();
    assertTrue(stop.isStop());
    assertEquals("1790000000.000050", stop.rootTs());

    var form =
        "token=x&team_id=T1&channel_id=C1&user_id=U1&command=%2Fgorkie&text=model+a%2Fb"
            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2F1";
    var slash = assertInstanceOf(SlackEvent.Slashed.class, read(form.getBytes(UTF_8))).command();
    assertEquals(new Command(Command.Word.MODEL, "a/b"), slash.command());
  }

  private static MessageEvent said(String sample) {
    return assertInstanceOf(Said.class, read(sample)).message();
  }

  private static SlackEvent read(String sample) {
    return read(bytes(sample));
  }

  private static SlackEvent read(byte[] body) {
    return SlackEvent.read(body);
  }

  private static byte[] bytes(String sample) {
    try (var stream = SlackEventTest.class.getResourceAsStream("/slack/" + sample + ".json")) {
      return Objects.requireNonNull(stream, sample).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
