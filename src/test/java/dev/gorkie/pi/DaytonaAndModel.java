package dev.gorkie.pi;

import dev.gorkie.daytona.LocalDaytonaResource;
import dev.gorkie.local.model.LocalModel;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A Daytona on this machine whose sandboxes have the real keeper and Pi, and a model for it.
public final class DaytonaAndModel implements QuarkusTestResourceLifecycleManager {

  private final LocalDaytonaResource daytona =
      new LocalDaytonaResource() {
        @Override
        protected Path image(Path directory) {
          return Image.folder();
        }
      };

  private Optional<LocalModel> model = Optional.empty();

  @Override
  public Map<String, String> start() {
    var settings = new HashMap<>(daytona.start());
    var started = LocalModel.start(new LocalModel.Settings(0, "scripted", "key-of-the-model"));
    model = Optional.of(started);
    settings.put("gorkie.model.base-url", started.url().toString());
    settings.put("gorkie.model.id", started.id());
    settings.put("gorkie.model.api-key", started.key());
    // Another run on the same machine may have the usual one.
    settings.put("quarkus.http.test-port", "0");
    return settings;
  }

  @Override
  public void stop() {
    model.ifPresent(LocalModel::close);
    daytona.stop();
  }
}
