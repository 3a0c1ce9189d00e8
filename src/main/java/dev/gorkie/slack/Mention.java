package dev.gorkie.slack;

import java.util.regex.Pattern;

/// Who is named at the beginning of a message, by us. In what a model says nobody is: there the bracket is broken.
final class Mention {

  private static final Pattern AHEAD = Pattern.compile("^(?:<@[A-Z0-9]{1,64}> )+");
  private static final Pattern USER = Pattern.compile("[A-Z0-9]{1,64}");

  private Mention() {}

  /// What the message begins with.
  static String of(String user) {
    return USER.matcher(user).matches() ? "<@" + user + "> " : "";
  }

  /// What stands ahead of the message's own words.
  static String in(String text) {
    var found = AHEAD.matcher(text);
    return found.find() ? found.group() : "";
  }

  /// The message's own words.
  static String without(String text) {
    return text.substring(in(text).length());
  }
}
