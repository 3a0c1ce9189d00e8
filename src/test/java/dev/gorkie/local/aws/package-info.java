/// AWS on this machine: Lambda's invoke and runtime wires, an HTTP gateway, a parameter store.
@NullMarked
package dev.gorkie.local.aws;

import org.jspecify.annotations.NullMarked;
