package dev.gorkie.previews;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which ports people may look at.
class PreviewsTest {

  @ParameterizedTest
  @ValueSource(strings = {"1024", "8000", "22221", "65535"})
  void a_port_of_a_program_is_one(String port) {
    assertEquals(Optional.of(Integer.parseInt(port)), Previews.port(port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "0", "80", "1023", "65536", "99999", "123456", "-8000", "8000 ", "80a0", "２０００", "2280",
        "22220", "22222", "33333"
      })
  void roots_ports_daytonas_own_and_what_is_none_are_not(String port) {
    assertEquals(Optional.empty(), Previews.port(port));
  }
}
