/// The way of a message from a person to the answer, with the packaged program as a process of its own.
@NullMarked
package dev.gorkie.way;

import org.jspecify.annotations.NullMarked;
