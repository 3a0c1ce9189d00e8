package dev.gorkie.slack;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

/// How deep and long what is delivered to us may be. The door's limit of bytes is the first; this is what they unfold to.
final class DoorJson {

  /// A message with blocks in it is a dozen deep, and each message that it quotes is some more.
  static final int DEPTH_MAX = 64;

  // A number that a double can hold has fewer digits.
  private static final int DIGITS_MAX = 400;

  static final ObjectReader READER =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          .maxNumberLength(DIGITS_MAX)
                          .build())
                  .build())
          .reader()
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private DoorJson() {}
}
