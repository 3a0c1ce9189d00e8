package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What an operator reads who looks before the first message.
class DoctorIT {

  private static final List<String> RIGHTS =
      List.of("write:sandboxes", "delete:sandboxes", "write:snapshots");

  private final Stage stage = Stage.open();

  @AfterEach
  void asItWas() {
    stage.daytona().setAccount(RIGHTS, false, false);
  }

  @Test
  void an_account_that_is_well_is_told_so_and_nothing_stays_behind() throws Exception {
    var before = stage.daytona().sandboxes().size();
    stage.daytona().setAccount(RIGHTS, false, true);

    var said = said(0, Map.of("GORKIE_SNAPSHOT_OF_THIS_VERSION", "gorkie-of-next-year"));

    assertTrue(said.contains("ok    Daytona answers at "), said);
    assertTrue(said.contains("ok    The key may create and delete sandboxes"), said);
    assertTrue(said.contains("is not the one of this version, gorkie-of-next-year."), said);
    assertTrue(said.contains("reach only a list of services."), said);
    assertTrue(said.contains("there is room for "), said);
    assertTrue(said.contains("“make secret” keeps it at Daytona instead."), said);
    assertTrue(said.contains("ok    A sandbox reaches the model at 127.0.0.1."), said);
    assertTrue(said.contains("ok    A sandbox was created, used and deleted in "), said);
    assertTrue(said.endsWith("A message would be answered."), said);
    assertEquals(before, stage.daytona().sandboxes().size());
  }

  @Test
  void a_model_that_no_sandbox_reaches_is_found() throws Exception {
    var said = said(1, Map.of("MODEL_BASE_URL", "http://127.0.0.1:9/v1"));

    assertTrue(said.contains("BAD   A sandbox does not reach the model at 127.0.0.1: "), said);
    assertTrue(said.endsWith("A message would not be answered."), said);
  }

  private String said(int code, Map<String, String> settings) throws Exception {
    var environment = new HashMap<String, String>();
    stage
        .world()
        .environment()
        .forEach(
            (name, value) -> {
              if (name.startsWith("DAYTONA_") || name.equals("MODEL_BASE_URL")) {
                environment.put(name, value);
              }
            });
    environment.put("GORKIE_ROLE", "doctor");
    environment.putAll(settings);
    try (var doctor = Gorkie.start(environment)) {
      assertEquals(code, doctor.end(), doctor.output());
      return doctor.output();
    }
  }
}
