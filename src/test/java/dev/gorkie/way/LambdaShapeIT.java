package dev.gorkie.way;

import java.io.IOException;
import java.util.Map;

class LambdaShapeIT extends LambdaShapeContract {

  @Override
  FunctionZip zip() throws IOException, InterruptedException {
    return FunctionZip.unpacked();
  }

  @Override
  void migrate(Map<String, String> environment) throws IOException, InterruptedException {
    Stage.migrate(environment);
  }
}
