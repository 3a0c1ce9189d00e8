/// The benchmark: measures what a user pays for, as figures of one run on one machine, and compares them with the last run
/// that was recorded there.
@NullMarked
package dev.gorkie.bench;

import org.jspecify.annotations.NullMarked;
