package dev.gorkie.pi;

/// How Pi is to work: with which model, the usual one where none is named, and what it has to ask for before it does it, in the extension's words.
///
/// @param team whose limits hold
public record Manner(String model, String permissions, String team) {}
