/// A web server for what stands in for the outside world: plain blocking code behind HTTP and WebSocket.
///
/// It listens on this machine only and uses no room.
@NullMarked
package dev.gorkie.local.web;

import org.jspecify.annotations.NullMarked;
