package dev.gorkie.way;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// When the last test of this process is over, and everything is still there: whether a secret has come to where it may not be.
public final class LastLook implements LauncherSessionListener {

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    Stage.close();
  }
}
