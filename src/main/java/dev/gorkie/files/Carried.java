package dev.gorkie.files;

/// What became of a file on its way.
public sealed interface Carried {

  /// The name people know it by.
  String name();

  /// It is in the sandbox, at a path relative to the work directory.
  record In(String name, String path, String mimetype) implements Carried {}

  /// It is in the thread. The hash tells whether the same content was shown already.
  record Out(String name, String hash) implements Carried {}

  /// It was left where it is; the reason is a sentence for people.
  record Refused(String name, String reason) implements Carried {}
}
