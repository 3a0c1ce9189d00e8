package dev.gorkie.pi;

import java.util.function.Supplier;

/// Which of its sessions Pi is to go on with.
///
/// @param session the id that Pi knows it by
/// @param begun whether something was said in it; Pi itself begins an empty one in silence when it finds none
/// @param instead where to go on when Pi does not find what was said in it
public record Conversation(String session, boolean begun, Supplier<Conversation> instead) {}
