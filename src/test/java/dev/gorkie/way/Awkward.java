package dev.gorkie.way;

import java.util.Random;

/// Characters that something on the way might take for its own.
final class Awkward {

  private static final int SEED = 7;

  private Awkward() {}

  /// Every control character, DEL, C1, the Unicode line ends, what JSON, shells, terminals and Slack give a meaning to.
  static String characters() {
    var text = new StringBuilder();
    for (var c = 0; c < 0xA0; c++) {
      text.append((char) c);
    }
    return text
        + "\u2028\u2029\u0085\ufeff\u200b\u202e ä ß 語 😀 𝄞 👩‍🚀 e\u0301 \\u0000 \\n %s %n ${HOME} $HOME "
        + "&amp; &lt; < > & <@U> <!channel> \"quoted\" 'single' *bold* _it_ ~s~ `code` # - > |";
  }

  /// So many characters, a mixture with all of the above in it.
  static String text(int chars) {
    var alphabet = characters().replace("<", "").replace(">", "").codePoints().toArray();
    var random = new Random(SEED);
    var text = new StringBuilder();
    while (text.length() < chars - 2) {
      // Mostly words, as people write; a lone line of 40,000 odd characters would test less.
      text.append(
          random.nextInt(4) > 0
              ? "word "
              : Character.toString(alphabet[random.nextInt(alphabet.length)]));
    }
    return text.toString();
  }

  /// The one change on the way: PostgreSQL and others end a text at U+0000.
  static String asPiHearsIt(String words) {
    return words.replace('\0', '\ufffd');
  }

  static String difference(String words, String heard) {
    var expected = asPiHearsIt(words);
    var begin = Math.max(0, heard.indexOf(expected.substring(0, 10)));
    for (var i = 0; i < expected.length(); i++) {
      if (begin + i >= heard.length() || expected.charAt(i) != heard.charAt(begin + i)) {
        return "At %d of %d: U+%04X was to come, after “%s” came “%s”"
            .formatted(
                i,
                expected.length(),
                (int) expected.charAt(i),
                expected.substring(Math.max(0, i - 20), i),
                heard.substring(
                    Math.min(heard.length(), begin + i), Math.min(heard.length(), begin + i + 20)));
      }
    }
    return "no difference";
  }
}
