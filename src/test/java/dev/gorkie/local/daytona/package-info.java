/// A Daytona on one machine: the control plane and the toolbox over their own wires, and behind them real
/// directories, real processes and real terminals.
///
/// It isolates nothing. What runs in a sandbox of it runs as whoever started it.
@NullMarked
package dev.gorkie.local.daytona;

import org.jspecify.annotations.NullMarked;
