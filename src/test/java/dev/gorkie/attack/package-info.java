/// The attacks that the doors withstand: how large each is in this run, and the table of what came of them.
package dev.gorkie.attack;
