/// The outside world on one machine: everything Gorkie talks to, started together, and a person's desk in front of it.
@NullMarked
package dev.gorkie.local;

import org.jspecify.annotations.NullMarked;
