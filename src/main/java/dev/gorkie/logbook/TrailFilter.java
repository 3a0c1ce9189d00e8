package dev.gorkie.logbook;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;

/// Puts the marks of the work in hand on each line. It keeps none back.
@LoggingFilter(name = "trail")
final class TrailFilter implements Filter {

  @Override
  public boolean isLoggable(LogRecord line) {
    if (line instanceof ExtLogRecord ours) {
      Trail.marks().forEach(ours::putMdc);
    }
    return true;
  }
}
