package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AnswerTest {

  private final Answer answer = new Answer();

  @Test
  void what_broke_off_is_told_as_far_as_it_came() {
    answer.add("The first part.", false);
    answer.say("And the sec");
    answer.say("ond ");

    assertEquals("The first part.", answer.text());
    assertEquals("The first part.\n\nAnd the second …", answer.soFar());
  }

  @Test
  void a_further_try_begins_from_the_start() {
    answer.say("Onc");
    answer.breakOff();
    assertEquals("Onc …", answer.soFar());

    answer.say("Once upon");
    assertEquals("Once upon …", answer.soFar());

    answer.add("Once upon a time.", false);
    assertEquals("Once upon a time.", answer.soFar());
  }

  @Test
  void what_was_said_before_more_work_is_no_part_of_it() {
    answer.say("Let me look.");
    answer.forgetDraft();

    assertEquals("", answer.soFar());
  }

  @Test
  void code_that_broke_off_ends_before_what_comes_after_it() {
    answer.say("So:\n```sh\nls -l");

    assertEquals("So:\n```sh\nls -l …\n```", answer.soFar());
  }

  @Test
  void of_an_endless_draft_the_beginning_is_kept() {
    answer.say("a".repeat(99_999));
    answer.say("bcd");
    answer.say("e");

    assertEquals("a".repeat(99_999) + "b …", answer.soFar());
  }
}
