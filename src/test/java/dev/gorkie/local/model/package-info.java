/// A model provider on this machine: the OpenAI wire, answered by a test's script or by an honest demonstration.
@NullMarked
package dev.gorkie.local.model;

import org.jspecify.annotations.NullMarked;
