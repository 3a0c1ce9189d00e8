package dev.gorkie.slack;

import java.math.BigDecimal;

/// What a turn has used up so far.
public record Usage(long tokens, BigDecimal dollars) {}
