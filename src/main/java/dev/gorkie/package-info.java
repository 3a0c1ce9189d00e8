/// Words every room speaks: which thread, how long there is, what went wrong and whose fault it is.
@NullMarked
package dev.gorkie;

import org.jspecify.annotations.NullMarked;
