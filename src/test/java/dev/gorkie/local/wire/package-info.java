/// What the stand-ins have in common: an HTTP server in plain blocking code, and a record one can wait on.
@NullMarked
package dev.gorkie.local.wire;

import org.jspecify.annotations.NullMarked;
