package dev.gorkie.campaign;

/// A message that a person wrote in a history: under this name Pi answers it.
record Told(String name, String ts) {}
