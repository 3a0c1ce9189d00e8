package dev.gorkie.api;

import java.util.List;

/// What tenants, sessions, policies and languages may be called.
final class Names {

  static final List<String> LANGUAGES = List.of("python", "node", "bash");

  static final String TENANT = "[a-z0-9]{1,32}";
  static final String SESSION = "[A-Za-z0-9._:@-]{1,128}";
  static final String POLICY = "[a-z0-9-]{1,32}";

  // What we answer with; longer ones than ours are unknown as well, and no other character is ever
  // looked for.
  private static final String ID = "[A-Za-z0-9:-]{1,128}";

  private Names() {}

  static void mustBeTenant(String name) {
    must(name, TENANT, "The tenant", "up to 32 small letters and digits");
  }

  static void mustBeSession(String name) {
    must(name, SESSION, "The session", "up to 128 letters, digits, and . _ : @ -");
  }

  static void mustBePolicy(String name) {
    must(name, POLICY, "The policy's name", "up to 32 small letters, digits and dashes");
  }

  static void mustBePlace(String after) {
    must(after, "(" + ID + ")?", "after", "what the page before ended with");
  }

  /// Whether there could be such an operation or artifact.
  static boolean isId(String id) {
    return id.matches(ID);
  }

  private static void must(String name, String form, String what, String expected) {
    if (!name.matches(form)) {
      throw new Refused(
          Problem.wrong(
              "invalid_parameter",
              "%s is not what it should be. Expected: %s.".formatted(what, expected)));
    }
  }
}
