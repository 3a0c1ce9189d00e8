package dev.gorkie.commands;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// An amount as people write it.
final class Money {

  private Money() {}

  static String of(BigDecimal amount) {
    return amount.setScale(2, RoundingMode.HALF_UP).toPlainString();
  }
}
