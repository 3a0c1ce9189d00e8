/// Slack's language: whether a request is genuine, what happened there, what a person wrote, and how we answer.
/// What we say is written down first, in the outbox, and so is how much we may still say.
///
/// No other room knows Slack's words.
@Room(uses = {"logbook", "aws", "seal", "database", "sockets"})
@NullMarked
package dev.gorkie.slack;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
