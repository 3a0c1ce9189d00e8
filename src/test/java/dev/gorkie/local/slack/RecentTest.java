package dev.gorkie.local.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecentTest {

  private final Recent<String> recent = new Recent<>();

  @Test
  void all_is_kept_until_somebody_says_how_much_is_enough() {
    List.of("one", "two", "three").forEach(recent::add);
    assertEquals(List.of("one", "two", "three"), recent.list());

    recent.keep(2);
    assertEquals(List.of("two", "three"), recent.list());

    recent.add("four");
    assertEquals(List.of("three", "four"), recent.list());
  }
}
