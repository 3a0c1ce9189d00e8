package dev.gorkie.start;

import dev.gorkie.tokens.Tokens;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.util.Optional;

/// Makes a token for a program, lists those that are good or revokes one, and is gone.
public final class MakeToken implements QuarkusApplication {

  private static final int NOT_DONE = 1;
  private static final String SCOPES = "execute,read,write";
  private static final String DAYS = "90";

  private final Tokens tokens;

  @Inject
  MakeToken(Tokens tokens) {
    this.tokens = tokens;
  }

  /// What is wrong with what is wanted, in a sentence; empty text when nothing is.
  static String complaint() {
    return value("GORKIE_TOKEN").equals("make")
        ? Tokens.complaint(value("TENANT"), value("NAME"), scopes(), days())
        : "";
  }

  @Override
  public int run(String... arguments) {
    switch (value("GORKIE_TOKEN")) {
      case "list" -> tokens.list().forEach(System.out::println);
      case "revoke" -> {
        if (!tokens.revoke(value("REVOKE"))) {
          System.err.println(
              "There is no such token that is good. “make token LIST=1” tells which are.");
          return NOT_DONE;
        }
        System.out.println("It is good for nothing any more.");
      }
      default -> {
        System.err.println(
            "For %s, with %s, for %s days. It is shown this once; keep it as a password."
                .formatted(value("TENANT"), scopes(), days()));
        System.out.println(tokens.make(value("TENANT"), value("NAME"), scopes(), days()));
      }
    }
    return 0;
  }

  private static String scopes() {
    return or(value("SCOPES"), SCOPES);
  }

  private static String days() {
    return or(value("DAYS"), DAYS);
  }

  private static String or(String value, String otherwise) {
    return value.isEmpty() ? otherwise : value;
  }

  private static String value(String name) {
    return Optional.ofNullable(System.getenv(name)).orElse("").strip();
  }
}
