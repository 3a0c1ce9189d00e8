/// The scale that no machine here can run: turns as events on a clock of their own, with the decisions that the application makes
/// and the limits that the services publish.
@NullMarked
package dev.gorkie.simulation;

import org.jspecify.annotations.NullMarked;
