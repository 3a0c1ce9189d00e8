package dev.gorkie.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.ThreadKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The thread that a session is. Sessions have any names; a thread's key becomes part of names elsewhere.
final class ProgramThread {

  // 160 bits, so that no two names of a tenant's meet.
  private static final int ROOT_CHARACTERS = 40;

  private ProgramThread() {}

  static ThreadKey of(String tenant, String session) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(session.getBytes(UTF_8));
      return ThreadKey.program(
          tenant, HexFormat.of().formatHex(hash).substring(0, ROOT_CHARACTERS));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
