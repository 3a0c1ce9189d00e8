package dev.gorkie.local.slack;

import java.time.Duration;

/// How Slack treats the deliveries of one thing somebody did; usually well.
///
/// @param times how often each of them is sent, with one and the same `event_id`, all at once
/// @param copies which of a mention's two deliveries are sent at all
/// @param order which of the two is sent, and answered, first
/// @param delay how long they are kept back before the first attempt
/// @param lost how many first attempts never leave, so that only a retry arrives
/// @param held whether they wait for `release`
public record DeliveryOptions(
    int times, Copies copies, Order order, Duration delay, int lost, boolean held) {

  /// Which deliveries of a mention.
  public enum Copies {
    BOTH,
    MENTION,
    MESSAGE
  }

  /// Which delivery of a mention comes first.
  public enum Order {
    TOGETHER,
    MENTION_FIRST,
    MESSAGE_FIRST
  }

  public static DeliveryOptions usual() {
    return new DeliveryOptions(1, Copies.BOTH, Order.TOGETHER, Duration.ZERO, 0, false);
  }

  public DeliveryOptions times(int times) {
    return new DeliveryOptions(times, copies, order, delay, lost, held);
  }

  public DeliveryOptions only(Copies copies) {
    return new DeliveryOptions(times, copies, order, delay, lost, held);
  }

  public DeliveryOptions in(Order order) {
    return new DeliveryOptions(times, copies, order, delay, lost, held);
  }

  public DeliveryOptions after(Duration delay) {
    return new DeliveryOptions(times, copies, order, delay, lost, held);
  }

  public DeliveryOptions losing(int attempts) {
    return new DeliveryOptions(times, copies, order, delay, attempts, held);
  }

  public DeliveryOptions onHold() {
    return new DeliveryOptions(times, copies, order, delay, lost, true);
  }
}
