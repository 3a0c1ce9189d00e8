/// AWS's language: a signed call to a service of its own, without its SDK.
@Room
@NullMarked
package dev.gorkie.aws;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
