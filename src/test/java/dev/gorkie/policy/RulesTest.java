package dev.gorkie.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.attack.Attack;
import dev.gorkie.policy.Rules.Where;
import dev.gorkie.policy.Rules.Who;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The whole of what is allowed, written down a second time, by hand, for people to read.
///
/// s start, t steer, x stop, a approve, c configure, o choose for oneself, r read elsewhere, w withdraw.
class RulesTest {

  private static final String AS_DELIVERED =
      """
      way          | member  | guest | stranger | program | unknown_program | gone | untold
      mention      | stxcor  |       |          | st      |                 |      | stxo
      direct       | stxcor  |       |          | st      |                 |      | stxo
      group_direct | stxcor  |       |          | st      |                 |      | stxo
      thread_reply | stxcor  |       |          | st      |                 |      | stxo
      edit         | st      |       |          | st      |                 |      | st
      deletion     | w       | w     | w        | w       | w               | w    | w
      slash        | co      |       |          |         |                 |      | o
      button       | xa      |       |          |         |                 |      | x
      stop_button  | x       |       |          |         |                 |      | x
      reaction     | x       |       |          |         |                 |      | x
      shortcut     | st      |       |          | st      |                 |      | st
      later        | s       |       |          | s       |                 |      | s
      home         | xo      |       |          |         |                 |      | xo
      """;

  private static final String OUTSIDERS_ANSWERED =
      """
      way          | member  | guest | stranger | program | unknown_program | gone | untold
      mention      | stxcor  | stxo  | stxo     | st      |                 |      | stxo
      direct       | stxcor  | stxo  | stxo     | st      |                 |      | stxo
      group_direct | stxcor  | stxo  | stxo     | st      |                 |      | stxo
      thread_reply | stxcor  | stxo  | stxo     | st      |                 |      | stxo
      edit         | st      | st    | st       | st      |                 |      | st
      deletion     | w       | w     | w        | w       | w               | w    | w
      slash        | co      | o     | o        |         |                 |      | o
      button       | xa      | x     | x        |         |                 |      | x
      stop_button  | x       | x     | x        |         |                 |      | x
      reaction     | x       | x     | x        |         |                 |      | x
      shortcut     | st      | st    | st       | st      |                 |      | st
      later        | s       | s     | s        | s       |                 |      | s
      home         | xo      | xo    | xo       |         |                 |      | xo
      """;

  /// For whoever is denied or not in the channel that makes people ours.
  private static final String TURNED_AWAY =
      """
      way          | member  | guest | stranger | program | unknown_program | gone | untold
      mention      |         |       |          |         |                 |      |
      direct       |         |       |          |         |                 |      |
      group_direct |         |       |          |         |                 |      |
      thread_reply |         |       |          |         |                 |      |
      edit         |         |       |          |         |                 |      |
      deletion     | w       | w     | w        | w       | w               | w    | w
      slash        |         |       |          |         |                 |      |
      button       |         |       |          |         |                 |      |
      stop_button  |         |       |          |         |                 |      |
      reaction     |         |       |          |         |                 |      |
      shortcut     |         |       |          |         |                 |      |
      later        |         |       |          |         |                 |      |
      home         |         |       |          |         |                 |      |
      """;

  /// For whoever is not among those who are named. Programs are named elsewhere.
  private static final String NOT_NAMED =
      """
      way          | member  | guest | stranger | program | unknown_program | gone | untold
      mention      |         |       |          | st      |                 |      |
      direct       |         |       |          | st      |                 |      |
      group_direct |         |       |          | st      |                 |      |
      thread_reply |         |       |          | st      |                 |      |
      edit         |         |       |          | st      |                 |      |
      deletion     | w       | w     | w        | w       | w               | w    | w
      slash        |         |       |          |         |                 |      |
      button       |         |       |          |         |                 |      |
      stop_button  |         |       |          |         |                 |      |
      reaction     |         |       |          |         |                 |      |
      shortcut     |         |       |          | st      |                 |      |
      later        |         |       |          | s       |                 |      |
      home         |         |       |          |         |                 |      |
      """;

  /// In a place that is denied, or not among those that are named.
  private static final String IN_NO_PLACE =
      """
      way          | member  | guest | stranger | program | unknown_program | gone | untold
      mention      |         |       |          |         |                 |      |
      direct       |         |       |          |         |                 |      |
      group_direct |         |       |          |         |                 |      |
      thread_reply |         |       |          |         |                 |      |
      edit         |         |       |          |         |                 |      |
      deletion     | w       | w     | w        | w       | w               | w    | w
      slash        |         |       |          |         |                 |      |
      button       |         |       |          |         |                 |      |
      stop_button  |         |       |          |         |                 |      |
      reaction     |         |       |          |         |                 |      |
      shortcut     |         |       |          |         |                 |      |
      later        |         |       |          |         |                 |      |
      home         | xo      | xo    | xo       |         |                 |      | xo
      """;

  private static final Who ANYBODY = new Who("T1", "U1", Standing.MEMBER, true);
  private static final Where CHANNEL = new Where("T1", "C1", false);

  @Test
  void everybody_may_do_what_the_tables_say_and_nothing_else() {
    var through = new ArrayList<String>();
    var cases = 0L;
    var everybody = Listed.ALL;
    var denied = new Listed(Set.of(), Set.of("U1"));
    var others = new Listed(Set.of("U2"), Set.of());
    var nobodysPlace = new Listed(Set.of(), Set.of("C1"));
    var otherPlaces = new Listed(Set.of("T2/C1"), Set.of());
    cases += check(AS_DELIVERED, new Rules(everybody, everybody, false, false), true, through);
    cases += check(OUTSIDERS_ANSWERED, new Rules(everybody, everybody, true, true), true, through);
    cases += check(TURNED_AWAY, new Rules(denied, everybody, true, true), true, through);
    cases += check(TURNED_AWAY, new Rules(everybody, everybody, true, true), false, through);
    cases += check(IN_NO_PLACE, new Rules(everybody, nobodysPlace, true, true), true, through);
    cases += check(IN_NO_PLACE, new Rules(everybody, otherPlaces, true, true), true, through);
    cases += check(NOT_NAMED, new Rules(others, everybody, true, true), true, through);

    Attack.of("S11", "who may do what, by every way").withstood(cases, through);
  }

  private static long check(String table, Rules rules, boolean optedIn, List<String> through) {
    var cases = 0L;
    var expected = read(table);
    for (var way : Way.values()) {
      for (var standing : Standing.values()) {
        var may = new StringBuilder();
        for (var act : Act.values()) {
          cases++;
          var who = new Who("T1", "U1", standing, optedIn);
          if (rules.decide(way, act, who, CHANNEL).isAllowed()) {
            may.append(letter(act));
          }
        }
        var wanted =
            Optional.ofNullable(expected.get(way))
                .orElseThrow(() -> new AssertionError("There is no row for " + way))
                .getOrDefault(standing, "");
        if (!sorted(may.toString()).equals(sorted(wanted))) {
          through.add("%s by %s: may %s and not %s".formatted(standing, way, may, wanted));
        }
      }
    }
    return cases;
  }

  private static Map<Way, Map<Standing, String>> read(String table) {
    var lines = table.lines().map(line -> line.split("\\|", -1)).toList();
    var standings =
        Arrays.stream(lines.getFirst())
            .skip(1)
            .map(name -> Standing.valueOf(name.strip().toUpperCase(Locale.ROOT)))
            .toList();
    assertEquals(Set.of(Standing.values()), Set.copyOf(standings));
    var read = new EnumMap<Way, Map<Standing, String>>(Way.class);
    for (var line : lines.subList(1, lines.size())) {
      var row = new EnumMap<Standing, String>(Standing.class);
      for (var at = 0; at < standings.size(); at++) {
        row.put(standings.get(at), line[at + 1].strip());
      }
      read.put(Way.valueOf(line[0].strip().toUpperCase(Locale.ROOT)), row);
    }
    return read;
  }

  private static char letter(Act act) {
    return switch (act) {
      case START -> 's';
      case STEER -> 't';
      case STOP -> 'x';
      case APPROVE -> 'a';
      case CONFIGURE -> 'c';
      case CHOOSE -> 'o';
      case READ -> 'r';
      case WITHDRAW -> 'w';
    };
  }

  private static String sorted(String letters) {
    return letters.chars().sorted().mapToObj(Character::toString).collect(Collectors.joining());
  }

  @Test
  void who_is_named_with_a_workspace_is_meant_in_that_one_alone() {
    var named = new Listed(Set.of("T1/U1"), Set.of("T2/U2"));
    var rules = new Rules(named, Listed.ALL, false, false);

    var same = new Who("T2", "U1", Standing.MEMBER, true);
    assertEquals(Verdict.ALLOWED, rules.decide(Way.MENTION, Act.START, ANYBODY, CHANNEL));
    assertEquals(
        new Verdict.Refused(Verdict.Why.PERSON_NOT_NAMED),
        rules.decide(Way.MENTION, Act.START, same, new Where("T2", "C1", false)));
    assertEquals(
        new Verdict.Refused(Verdict.Why.PERSON_DENIED),
        rules.decide(
            Way.MENTION,
            Act.START,
            new Who("T2", "U2", Standing.MEMBER, true),
            new Where("T2", "C1", false)));
  }

  @Test
  void direct_conversations_are_one_place_in_the_lists() {
    var direct = new Where("T1", "D9", true);
    var noneDirect = new Rules(Listed.ALL, new Listed(Set.of(), Set.of("direct")), false, false);
    var onlyDirect = new Rules(Listed.ALL, new Listed(Set.of("direct"), Set.of()), false, false);

    assertEquals(
        new Verdict.Refused(Verdict.Why.PLACE),
        noneDirect.decide(Way.DIRECT, Act.START, ANYBODY, direct));
    assertEquals(Verdict.ALLOWED, noneDirect.decide(Way.MENTION, Act.START, ANYBODY, CHANNEL));
    assertEquals(Verdict.ALLOWED, onlyDirect.decide(Way.DIRECT, Act.START, ANYBODY, direct));
    assertEquals(
        new Verdict.Refused(Verdict.Why.PLACE),
        onlyDirect.decide(Way.MENTION, Act.START, ANYBODY, CHANNEL));
  }
}
