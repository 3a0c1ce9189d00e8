/// By what programs are known: tokens, what each may do and for whom, and how often.
@Room(uses = "database")
@NullMarked
package dev.gorkie.tokens;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
