package dev.gorkie.campaign;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What a statement is called: its verb, its table and, for an update, what it sets first.
final class Statement {

  static final String UNNAMED = "something";

  private static final List<Pattern> SHAPES =
      List.of(
          Pattern.compile("(?:with .*?)?(insert) into (\\w+).*"),
          Pattern.compile("(delete) from (\\w+).*"),
          Pattern.compile("(update) (\\w+)(?: (?:as )?\\w+)? set (\\w+ ?= ?null|\\w+).*"),
          Pattern.compile("select (pg_advisory)_xact_(lock).*"),
          Pattern.compile("(?:with .*)?(select) .*?from (\\w+).*"),
          Pattern.compile("(\\w+).*"));

  private Statement() {}

  static String name(String sql) {
    var line = sql.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    for (var shape : SHAPES) {
      var matched = shape.matcher(line);
      if (matched.matches()) {
        var name = new StringBuilder(matched.group(1));
        for (var group = 2; group <= matched.groupCount(); group++) {
          name.append(' ').append(matched.group(group).replaceAll(" ?= ?", " "));
        }
        return name.toString();
      }
    }
    return UNNAMED;
  }
}
