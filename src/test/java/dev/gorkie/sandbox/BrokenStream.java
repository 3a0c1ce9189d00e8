package dev.gorkie.sandbox;

import java.io.IOException;
import java.io.InputStream;

/// Gives a while, then breaks.
public final class BrokenStream extends InputStream {

  private int left = 200_000;

  @Override
  public int read() throws IOException {
    if (left == 0) {
      throw new IOException("the source broke");
    }
    left--;
    return 'x';
  }
}
