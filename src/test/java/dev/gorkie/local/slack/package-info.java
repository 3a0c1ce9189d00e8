/// A Slack workspace on one machine: people who write in it, the app that answers, and both of Slack's wires between them.
@NullMarked
package dev.gorkie.local.slack;

import org.jspecify.annotations.NullMarked;
