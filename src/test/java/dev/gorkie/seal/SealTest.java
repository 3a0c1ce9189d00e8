package dev.gorkie.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gorkie.Failure;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SealTest {

  private static final String OLD = key(1);
  private static final String NEW = key(2);

  /// There is no key for which it would be asked.
  private static final Seal.Service NOBODY =
      new Seal.Service() {
        @Override
        public boolean hasSealed(String key) {
          return false;
        }

        @Override
        public byte[] open(String key) throws IOException {
          throw new IOException(key);
        }
      };

  private static String key(int value) {
    var bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void what_was_sealed_opens_for_what_it_belongs_to_and_tells_nothing() {
    var seal = new Seal(List.of(OLD), NOBODY);

    var sealed = seal.seal("xoxb-secret", "T1");

    assertFalse(sealed.contains("secret"));
    assertNotEquals(sealed, seal.seal("xoxb-secret", "T1"));
    assertEquals("xoxb-secret", seal.open(sealed, "T1"));
    assertThrows(Failure.class, () -> seal.open(sealed, "T2"));
  }

  @Test
  void a_new_key_seals_while_the_old_one_still_opens() {
    var before = new Seal(List.of(OLD), NOBODY).seal("xoxb-secret", "T1");
    var both = new Seal(List.of(NEW, OLD), NOBODY);

    assertEquals("xoxb-secret", both.open(before, "T1"));
    assertEquals("again", new Seal(List.of(NEW), NOBODY).open(both.seal("again", "T1"), "T1"));
    assertThrows(Failure.class, () -> new Seal(List.of(NEW), NOBODY).open(before, "T1"));
  }

  @Test
  void what_was_changed_does_not_open() {
    var seal = new Seal(List.of(OLD), NOBODY);
    var sealed = seal.seal("xoxb-secret", "T1");
    var at = sealed.length() - 10;
    var changed =
        sealed.substring(0, at) + (sealed.charAt(at) == 'A' ? 'B' : 'A') + sealed.substring(at + 1);

    assertThrows(Failure.class, () -> seal.open(changed, "T1"));
    assertThrows(Failure.class, () -> seal.open("1.x", "T1"));
    assertThrows(Failure.class, () -> new Seal(List.of(), NOBODY).seal("xoxb-secret", "T1"));
  }
}
