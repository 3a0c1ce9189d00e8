package dev.gorkie.campaign;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// A relay that reads PostgreSQL's language: it knows a statement by its verb and table, and sees what each one did.
///
/// A driver sends statements up to a `Sync` and waits for `ReadyForQuery`, so one virtual thread serves both ways.
final class PostgresRelay extends Relay {

  private static final String WIRE = "db";
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int CANCEL_REQUEST = 80877102;

  PostgresRelay(int beyond, Gate gate, Supplier<List<Long>> processes) throws IOException {
    super(beyond, gate, processes);
  }

  @Override
  void serve(long pid, Socket near, Socket far) throws IOException, InterruptedException {
    var fromNear = new DataInputStream(near.getInputStream());
    var fromFar = new DataInputStream(far.getInputStream());
    if (!begun(fromNear, fromFar, near.getOutputStream(), far.getOutputStream())) {
      return;
    }
    var conversation = new Conversation();
    while (true) {
      var asked = conversation.ask(fromNear);
      if (gate().pass(pid, Passage.before(WIRE, asked.what())) != Gate.Verdict.GO) {
        return;
      }
      asked.bytes().writeTo(far.getOutputStream());
      if (asked.isLast()) {
        return;
      }
      var answered = answer(fromFar);
      var passage = new Passage(WIRE, asked.what(), Passage.Side.AFTER, answered.tags());
      if (gate().pass(pid, passage) != Gate.Verdict.GO) {
        return;
      }
      answered.bytes().writeTo(near.getOutputStream());
    }
  }

  /// The words before the first query; false when there will be none.
  private static boolean begun(
      DataInputStream fromNear, DataInputStream fromFar, OutputStream toNear, OutputStream toFar)
      throws IOException {
    while (true) {
      var length = fromNear.readInt();
      var packet = new byte[length - Integer.BYTES];
      fromNear.readFully(packet);
      toFar.write(ByteBuffer.allocate(length).putInt(length).put(packet).array());
      switch (ByteBuffer.wrap(packet).getInt()) {
        case SSL_REQUEST, GSS_REQUEST -> toNear.write(fromFar.readByte());
        case CANCEL_REQUEST -> {
          return false;
        }
        default -> {
          answer(fromFar).bytes().writeTo(toNear);
          return true;
        }
      }
    }
  }

  private record Asked(String what, ByteArrayOutputStream bytes, boolean isLast) {}

  private record Answered(List<String> tags, ByteArrayOutputStream bytes) {}

  /// Everything up to `ReadyForQuery`.
  private static Answered answer(DataInputStream from) throws IOException {
    var tags = new ArrayList<String>();
    var bytes = new ByteArrayOutputStream();
    while (true) {
      var type = from.readByte();
      var body = body(from, type, bytes);
      if (type == 'C') {
        tags.add(text(body, 0));
      } else if (type == 'E') {
        tags.add("ERROR " + new String(body, StandardCharsets.UTF_8).replace('\0', ' '));
      } else if (type == 'Z') {
        return new Answered(tags, bytes);
      }
    }
  }

  private static byte[] body(DataInputStream from, byte type, ByteArrayOutputStream bytes)
      throws IOException {
    var length = from.readInt();
    var body = new byte[length - Integer.BYTES];
    from.readFully(body);
    bytes.write(type);
    bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    bytes.writeBytes(body);
    return body;
  }

  /// Up to the zero at its end.
  private static String text(byte[] body, int from) {
    var end = from;
    while (body[end] != 0) {
      end++;
    }
    return new String(body, from, end - from, StandardCharsets.UTF_8);
  }

  /// What one connection was asked, as far as later words refer to it.
  private static final class Conversation {
    private final Map<String, String> prepared = new HashMap<>();
    private final Map<String, String> bound = new HashMap<>();
    private String inTransaction = "";

    /// Everything up to the point where an answer is waited for.
    Asked ask(DataInputStream from) throws IOException {
      var bytes = new ByteArrayOutputStream();
      var statements = new ArrayList<String>();
      while (true) {
        var type = from.read();
        if (type < 0) {
          throw new EOFException();
        }
        var body = body(from, (byte) type, bytes);
        switch (type) {
          case 'P' -> {
            var name = text(body, 0);
            prepared.put(name, Statement.name(text(body, name.length() + 1)));
          }
          case 'B' -> {
            var portal = text(body, 0);
            bound.put(
                portal, prepared.getOrDefault(text(body, portal.length() + 1), Statement.UNNAMED));
          }
          case 'E' -> statements.add(bound.getOrDefault(text(body, 0), Statement.UNNAMED));
          case 'Q' -> {
            return new Asked(what(List.of(Statement.name(text(body, 0)))), bytes, false);
          }
          case 'S' -> {
            return new Asked(what(statements), bytes, false);
          }
          case 'X' -> {
            return new Asked("leave", bytes, true);
          }
          default -> {}
        }
      }
    }

    private String what(List<String> statements) {
      var own = statements.stream().filter(name -> !name.equals("begin")).toList();
      var what = own.isEmpty() ? "begin" : String.join(" + ", own);
      if (what.equals("commit") || what.equals("rollback")) {
        return what + " of " + inTransaction;
      }
      inTransaction = what;
      return what;
    }
  }
}
