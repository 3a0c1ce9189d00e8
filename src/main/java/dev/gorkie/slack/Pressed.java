package dev.gorkie.slack;

/// Somebody pressed a button of a `Listing`. What the button carries proves nothing: whose it is is looked up.
///
/// @param channel empty, like the thread, where it is on our page
public record Pressed(
    String team, String channel, String threadTs, String user, Action action, String id) {

  /// What the button is for.
  public enum Action {
    STOP_JOB("gorkie_stop_job", "Stop"),
    CANCEL_TASK("gorkie_cancel_task", "Cancel"),
    OPEN_PORT("gorkie_open_port", "Open");

    private final String wire;
    private final String label;

    Action(String wire, String label) {
      this.wire = wire;
      this.label = label;
    }

    String wire() {
      return wire;
    }

    String label() {
      return label;
    }
  }

  /// Whether it was pressed on our page, which nobody else sees.
  public boolean isAtHome() {
    return channel.isEmpty();
  }
}
