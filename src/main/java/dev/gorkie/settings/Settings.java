package dev.gorkie.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// The environment a process was started in, judged as a whole.
public final class Settings {

  private static final String ROLE = "GORKIE_ROLE";
  private static final String TOKEN = "SLACK_BOT_TOKEN";
  private static final String MODEL = "MODEL_ID";
  private static final String MIGRATE = "GORKIE_MIGRATE";
  private static final String DATABASE = "DATABASE_URL";
  private static final List<String> LISTS =
      List.of(
          "GORKIE_CHOICES_ADMINS",
          "GORKIE_PEOPLE_ALLOWED",
          "GORKIE_PEOPLE_DENIED",
          "GORKIE_CHANNELS_ALLOWED",
          "GORKIE_CHANNELS_DENIED");
  private static final String ALLOWED = "MODEL_ALLOWED";

  private final Function<String, Optional<String>> lookup;

  /// An empty value counts as none, as it does for the rooms' own settings.
  public Settings(Function<String, Optional<String>> lookup) {
    this.lookup = name -> lookup.apply(name).filter(value -> !value.isEmpty());
  }

  /// Whether nobody has set anything at all, as in a fresh checkout.
  public boolean areNone() {
    return Stream.concat(Stream.of(ROLE), Setting.ALL.stream().map(Setting::name))
        .allMatch(name -> lookup.apply(name).isEmpty());
  }

  /// What is missing or malformed, a sentence each; empty when the process may start.
  public List<String> complaints() {
    var role = role();
    if (role.isEmpty()) {
      return List.of(
          ROLE
              + " is not what it should be. Expected: ingress, worker, api, server, doctor or trace.");
    }
    var complaints = new ArrayList<String>();
    for (var setting : Setting.ALL) {
      var value = lookup.apply(setting.name());
      if (value.isPresent() || isAskedFor(setting)) {
        setting.complaint(role.get(), value).ifPresent(complaints::add);
      }
    }
    if (lookup.apply(TOKEN).isPresent() && lookup.apply(Setting.CLIENT).isPresent()) {
      complaints.add(
          TOKEN
              + " and "
              + Setting.CLIENT
              + " exclude each other. Expected: the token of the one workspace, or the client by which workspaces let the app in.");
    }
    if (lookup.apply(Setting.APP_TOKEN).isPresent() && role.get().isFunction()) {
      complaints.add(
          Setting.APP_TOKEN
              + " is for a server: a function cannot hold a connection. Expected: none with GORKIE_ROLE="
              + role.get().name().toLowerCase(Locale.ROOT)
              + ".");
    }
    if (lookup.apply(Setting.CLIENT).isPresent()) {
      LISTS.stream()
          .filter(name -> lookup.apply(name).filter(ids -> !Setting.haveTeams(ids)).isPresent())
          .map(
              name ->
                  name
                      + " is not what it should be. Expected: each id behind its workspace, such as"
                      + " T012AB3CD/U012AB3CD, since there may be many.")
          .forEach(complaints::add);
    }
    if (lookup.apply(MIGRATE).filter("true"::equals).isPresent()
        && lookup.apply(DATABASE).isEmpty()
        && complaints.stream().noneMatch(complaint -> complaint.startsWith(DATABASE))) {
      complaints.add(
          DATABASE + " is missing. Expected: the database whose tables " + MIGRATE + " is about.");
    }
    if (!isModelAllowed()) {
      complaints.add(MODEL + " is not what it should be. Expected: one of " + ALLOWED + ".");
    }
    return List.copyOf(complaints);
  }

  private boolean isAskedFor(Setting setting) {
    return setting.unlessThereIs().flatMap(lookup).isEmpty()
        && setting.onlyWith().filter(name -> lookup.apply(name).isEmpty()).isEmpty();
  }

  private boolean isModelAllowed() {
    var allowed = lookup.apply(ALLOWED).map(list -> List.of(list.split(",")));
    return allowed.isEmpty()
        || lookup.apply(MODEL).filter(id -> !allowed.get().contains(id)).isEmpty();
  }

  /// Empty when it is none of them.
  public Optional<Role> role() {
    var name = lookup.apply(ROLE);
    if (name.isEmpty()) {
      return Optional.of(Role.SERVER);
    }
    for (var role : Role.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(name.get())) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }
}
