package dev.gorkie.slack;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a link goes: an address that can be shown, and its host as a browser would read it.
record Target(String address, String host) {

  // A long query is where a secret is carried out.
  private static final int QUERY_CHARACTERS_MAX = 256;
  private static final Pattern ADDRESS =
      Pattern.compile("(https?://)([^/?#\\\\]+)([^?#]*)([?#].*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern MAIL =
      Pattern.compile("mailto:([^?\\s]+)", Pattern.CASE_INSENSITIVE);
  // A browser reads other characters in other ways than we do.
  private static final Pattern HOST =
      Pattern.compile(
          "(?:[a-z0-9_-]+[.])*[a-z0-9_-]+[.]?(?::[0-9]{1,5})?|\\[[0-9a-f:.]+](?::[0-9]{1,5})?");
  private static final Pattern FORBIDDEN = Pattern.compile("[\\s<>()\\[\\]|\"`]");

  /// Empty for what is neither of the web nor a mail address.
  static Optional<Target> read(String link) {
    var mail = MAIL.matcher(link);
    if (mail.matches()) {
      return Optional.of(new Target("mailto:" + quoted(mail.group(1)), mail.group(1)));
    }
    var address = ADDRESS.matcher(link);
    if (!address.matches()) {
      return Optional.empty();
    }
    return host(address.group(2))
        .map(
            host ->
                new Target(
                    quoted(
                        address.group(1)
                            + host
                            // As a browser reads it, and everybody else then has to.
                            + rest(address.group(3).replace('\\', '/'), address.group(4))),
                    host));
  }

  private static String rest(String path, String query) {
    return query == null || query.length() > QUERY_CHARACTERS_MAX ? path : path + query;
  }

  /// Without the name before an `@`, which looks like a host; letters of other scripts as they really are.
  private static Optional<String> host(String authority) {
    var host = authority.substring(authority.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    try {
      return Optional.of(IDN.toASCII(host)).filter(ascii -> HOST.matcher(ascii).matches());
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static String quoted(String address) {
    return FORBIDDEN
        .matcher(address)
        .replaceAll(match -> "%%%02X".formatted((int) match.group().charAt(0)));
  }

  /// Whether the label says no more than where the link goes.
  boolean isCalled(String label) {
    var name = label.strip();
    return name.equals(address)
        || name.equals(host)
        || address.equals("https://" + name)
        || address.equals("mailto:" + name);
  }
}
