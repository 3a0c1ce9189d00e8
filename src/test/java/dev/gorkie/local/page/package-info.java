/// What the page shows behind the curtain of a thread, and the levers there: the deliveries, the tables, the machine.
@NullMarked
package dev.gorkie.local.page;

import org.jspecify.annotations.NullMarked;
