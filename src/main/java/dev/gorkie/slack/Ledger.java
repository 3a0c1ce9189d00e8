package dev.gorkie.slack;

import dev.gorkie.HoldLost;
import dev.gorkie.database.Database;
import dev.gorkie.slack.OutboxRows.Thing;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What one subject has to say, in one holder's hands. Whoever finds a higher fence in it has lost the thread.
final class Ledger {

  private final Database database;
  private final OutboxRows rows;
  private final Address address;
  private final String subject;
  private final long fence;

  Ledger(Database database, OutboxRows rows, Address address, String subject, long fence) {
    this.database = database;
    this.rows = rows;
    this.address = address;
    this.subject = subject;
    this.fence = fence;
  }

  String subject() {
    return subject;
  }

  /// From now on nobody who came before changes anything. Whether somebody did come before.
  boolean takeOver() {
    return database.transaction(() -> rows.takeOver(subject, fence)) > 0;
  }

  Optional<OutboxRow> find(String part) {
    return database.transaction(() -> rows.of(subject, part));
  }

  List<OutboxRow> all() {
    return database.transaction(() -> rows.all(subject));
  }

  /// The row of this thing, its first or the one that is there.
  OutboxRow put(Thing thing) {
    return database.transaction(
        () -> {
          note(thing);
          return rows.of(subject, thing.part()).orElseThrow();
        });
  }

  /// Only inside a transaction of the caller's.
  void note(Thing thing) {
    mustHold(rows.put(address, subject, thing, fence), thing.part());
  }

  /// Only inside a transaction of the caller's. It may be on its way for the first time at this moment, so its row is
  /// there from now on, and removed when it turns out that there is no card.
  void noteEndOfCard(Content content) {
    note(Delivery.CARD_THING);
    rows.endCard(subject, fence, content.written());
  }

  /// All of it or nothing.
  void together(Runnable writes) {
    database.transaction(
        () -> {
          writes.run();
          return true;
        });
  }

  /// The row of a text that is about to be begun.
  OutboxRow begin(Thing thing) {
    return database.transaction(
        () -> {
          mustHold(rows.begin(address, subject, thing, fence), thing.part());
          return rows.of(subject, thing.part()).orElseThrow();
        });
  }

  /// False when it is another holder's to say so.
  boolean begun(OutboxRow row, String ts) {
    return database.transaction(() -> rows.isBegun(row, fence, ts));
  }

  List<OutboxRow> begun() {
    return database.transaction(() -> rows.begun(subject));
  }

  /// False when it is another holder's to say so.
  boolean shows(OutboxRow row, String ts, String text) {
    return database.transaction(() -> rows.shows(row, fence, ts, Hash.of(text)));
  }

  /// Only inside a transaction of the caller's: this is what is said, and of what was begun nothing else remains.
  void decide(List<Thing> things) {
    things.forEach(thing -> mustHold(rows.decide(address, subject, thing, fence), thing.part()));
    var kept = things.stream().map(Thing::part).toList();
    rows.forgetUnbegun(subject, kept, fence);
    rows.letGo(subject, kept, fence);
  }

  /// Whether a message is one of those we know of, whatever they are about.
  boolean knows(String ts) {
    return database.transaction(() -> rows.at(address.team(), address.channel(), ts)).isPresent();
  }

  void anew(OutboxRow row) {
    change(row, () -> rows.isAnew(row, fence));
  }

  OutboxRow sending(OutboxRow row) {
    change(row, () -> rows.isSent(row, fence));
    return row;
  }

  void uploaded(OutboxRow row, String fileId) {
    change(row, () -> rows.isUploaded(row, fence, fileId));
  }

  void notSaid(OutboxRow row) {
    change(row, () -> rows.isNotSaid(row, fence));
  }

  /// Slack was not asked, or did nothing and said so: nothing of this try can turn up later.
  void notTried(OutboxRow row) {
    change(row, () -> rows.isNotTried(row, fence));
  }

  void refused(OutboxRow row, boolean forGood) {
    change(row, () -> rows.isRefused(row, fence, forGood));
  }

  /// It stays out, and this is said in its place.
  void refused(OutboxRow row, Thing instead) {
    change(
        row,
        () -> {
          note(instead);
          if (row.leftOver) {
            rows.leave(subject, instead.part(), fence);
          }
          return rows.isRefused(row, fence, true);
        });
  }

  void unsure(OutboxRow row) {
    change(row, () -> rows.isAmbiguous(row, fence));
  }

  /// False when it is another holder's to say so.
  boolean confirm(OutboxRow row, String ts) {
    return database.transaction(() -> rows.isThere(row, fence, ts));
  }

  /// False when it is another holder's to say so.
  boolean confirmFile(OutboxRow row, String fileId) {
    return database.transaction(() -> rows.isShown(row, fence, fileId));
  }

  void cardHasEnded(OutboxRow card) {
    database.transaction(() -> rows.hasEnded(card, fence));
  }

  void forget(OutboxRow row) {
    database.transaction(() -> rows.isNeedless(row, fence));
  }

  private void change(OutboxRow row, BooleanSupplier write) {
    mustHold(database.transaction(write::getAsBoolean), row.part);
  }

  private void mustHold(boolean written, String part) {
    if (!written) {
      throw new HoldLost(subject + ", " + part + ", fence " + fence);
    }
  }
}
