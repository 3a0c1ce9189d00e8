package dev.gorkie.commands;

import dev.gorkie.ThreadKey;
import dev.gorkie.policy.Policy.Rights;
import dev.gorkie.preferences.Permissions;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.preferences.Scope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.stream.Collectors;

/// Tells and changes which model works somewhere, and what it may do unasked there.
@ApplicationScoped
class Choices {

  private static final String EVERYWHERE = "workspace";
  private static final String NOT_FOR_GUESTS =
      "Only members of this workspace may change that. Ask one of them to do it.";
  private static final String NOT_FOR_ALL =
      "Only those who look after me may change that for the whole workspace: whom whoever runs me has named, else this workspace's admins. Ask"
          + " one of them.";
  private static final String NOT_LOOSER =
      "Only those who look after me may loosen this, so it stays `%s`. Ask whoever runs me who that is.";
  private static final String NOT_LOOSER_THAN_ALL =
      "This workspace has chosen `%s`, and only its admins and those who look after me may loosen that, so it stays `%s` here. Ask one of them.";

  private final Preferences preferences;

  @Inject
  Choices(Preferences preferences) {
    this.preferences = preferences;
  }

  /// Where something is chosen, and by whom.
  ///
  /// @param thread where it is looked up what counts there
  /// @param here what it is called in a sentence
  record Place(ThreadKey thread, Scope scope, String user, String here) {

    Place everywhere() {
      return new Place(thread, Scope.workspace(thread.team()), user, "in this workspace");
    }
  }

  /// What was asked for.
  ///
  /// @param value empty where one wants to know only
  record Wish(String value, Place place) {

    /// `ask`, or `ask workspace`.
    static Wish read(String argument, Place place) {
      var words = argument.strip();
      var isEverywhere = words.toLowerCase(Locale.ROOT).endsWith(" " + EVERYWHERE);
      return isEverywhere
          ? new Wish(
              words.substring(0, words.length() - EVERYWHERE.length()).strip(), place.everywhere())
          : new Wish(words, place);
    }

    /// Whether it depends on who wants it.
    boolean isNotEverybodys() {
      return !value.isEmpty();
    }
  }

  /// Only inside a transaction of the caller's.
  String model(Wish wish, Rights rights) {
    var place = wish.place();
    var wanted = wish.value();
    if (wanted.isEmpty()) {
      return "Here `%s` works. You can choose from: %s."
          .formatted(preferences.in(place.thread(), place.user()).model(), models());
    }
    var refusal = refusal(place.scope(), rights);
    if (!refusal.isEmpty()) {
      return refusal;
    }
    return preferences.chooseModel(place.scope(), wanted, place.user())
        ? "From the next message on `%s` works %s.".formatted(wanted, place.here())
        : "I may not use that model. You can choose from: %s.".formatted(models());
  }

  private String models() {
    return preferences.models().stream()
        .map(model -> "`" + model + "`")
        .collect(Collectors.joining(", "));
  }

  /// Only inside a transaction of the caller's.
  String permissions(Wish wish, Rights rights) {
    var place = wish.place();
    var before = preferences.in(place.thread(), place.user()).permissions();
    if (wish.value().isEmpty()) {
      return "Here it is `%s`: %s".formatted(before.word(), meaning(before));
    }
    var wanted = Permissions.read(wish.value());
    if (wanted.isEmpty()) {
      return "I know `ask`, `edit` and `bypass`. Here it is `%s`: %s"
          .formatted(before.word(), meaning(before));
    }
    var now = wanted.get();
    var refusal = refusal(place.scope(), rights);
    if (refusal.isEmpty()) {
      refusal = tooLoose(place, before, now, rights);
    }
    if (!refusal.isEmpty()) {
      return refusal;
    }
    preferences.choosePermissions(place.scope(), now, place.user());
    return "From the next message on it is `%s` %s: %s"
        .formatted(now.word(), place.here(), meaning(now));
  }

  private static String refusal(Scope scope, Rights rights) {
    if (scope.isEverywhere()) {
      return rights.everywhere() ? "" : NOT_FOR_ALL;
    }
    return scope.isForOthers() && !rights.member() ? NOT_FOR_GUESTS : "";
  }

  /// Nobody frees himself of what others have tightened, and no channel of what counts for all.
  private String tooLoose(Place place, Permissions before, Permissions now, Rights rights) {
    if (rights.everywhere() || now.compareTo(before) >= 0) {
      return "";
    }
    var all = preferences.permissionsOf(place.thread().team()).filter(it -> now.compareTo(it) < 0);
    if (all.isPresent()) {
      return NOT_LOOSER_THAN_ALL.formatted(all.get().word(), before.word());
    }
    return rights.loosens() ? "" : NOT_LOOSER.formatted(before.word());
  }

  private static String meaning(Permissions permissions) {
    return switch (permissions) {
      case BYPASS -> "I run commands and write files without asking.";
      case EDIT -> "I write files without asking and ask before each command.";
      case ASK -> "I ask before each command and before each file I write.";
    };
  }
}
