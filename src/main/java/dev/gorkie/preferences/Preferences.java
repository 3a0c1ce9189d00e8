package dev.gorkie.preferences;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Looks up and writes down what people have chosen. What the operator does not allow any more counts as not chosen.
@ApplicationScoped
public class Preferences {

  public static final int INSTRUCTIONS_CHARACTERS_MAX = 3_000;

  private static final String MODEL = "model";
  private static final String PERMISSIONS = "permissions";
  private static final String INSTRUCTIONS = "instructions";

  private final Database database;
  private final PreferenceRows rows;
  private final Permissions permissions;
  private final List<String> models;
  private final List<String> admins;
  private final boolean strangers;

  /// What the operator sets.
  @ConfigMapping(prefix = "gorkie.choices")
  interface Rules {

    /// What counts where nobody has chosen anything.
    @WithDefault("bypass")
    Permissions permissions();

    /// Whether people of other companies are answered, who cost as much and see what the agent does.
    @WithDefault("false")
    boolean strangers();

    /// Who may loosen what others tightened, and answer for them. Where nobody is named, whoever is there may.
    Optional<List<String>> admins();
  }

  @Inject
  Preferences(
      Database database,
      PreferenceRows rows,
      Rules rules,
      @ConfigProperty(name = "gorkie.model.id") Optional<String> model,
      @ConfigProperty(name = "gorkie.model.allowed") Optional<List<String>> allowed) {
    this.database = database;
    this.rows = rows;
    this.permissions = rules.permissions();
    this.strangers = rules.strangers();
    var all = new ArrayList<String>();
    model.ifPresent(all::add);
    allowed.stream().flatMap(List::stream).filter(it -> !all.contains(it)).forEach(all::add);
    this.models = List.copyOf(all);
    this.admins = rules.admins().map(List::copyOf).orElse(List.of());
  }

  /// What may be chosen, the usual one first.
  public List<String> models() {
    return models;
  }

  /// Whether people of other companies are answered.
  public boolean areStrangersAnswered() {
    return strangers;
  }

  /// Whether the operator has named anybody.
  public boolean areAdminsNamed() {
    return !admins.isEmpty();
  }

  /// Whether somebody was named as one.
  ///
  /// An id may have its workspace before it.
  public boolean isNamedAdmin(String team, String user) {
    return admins.contains(user) || admins.contains(team + "/" + user);
  }

  /// What counts for this person in this thread.
  public Chosen of(ThreadKey thread, String user) {
    return database.transaction(() -> in(thread, user));
  }

  /// What counts for this person where nothing else was chosen.
  public Chosen ofPerson(String team, String user) {
    return of(ThreadKey.direct(team, user), user);
  }

  /// The same, inside a transaction of the caller's.
  public Chosen in(ThreadKey thread, String user) {
    var choices = rows.of(thread, user);
    var usual = models.isEmpty() ? "" : models.getFirst();
    return new Chosen(
        narrowest(choices, MODEL, List.of("workspace", "channel", "person", "thread"))
            .filter(models::contains)
            .orElse(usual),
        narrowest(choices, PERMISSIONS, List.of("workspace", "channel", "thread"))
            .flatMap(Permissions::read)
            .orElse(permissions),
        narrowest(choices, INSTRUCTIONS, List.of("person")).orElse(""));
  }

  private static Optional<String> narrowest(
      List<PreferenceRows.Choice> choices, String name, List<String> scopes) {
    return choices.stream()
        .filter(choice -> choice.name().equals(name) && scopes.contains(choice.scope()))
        .max(Comparator.comparingInt(choice -> scopes.indexOf(choice.scope())))
        .map(PreferenceRows.Choice::value);
  }

  /// Only inside a transaction of the caller's; false when it is none that may be chosen.
  public boolean chooseModel(Scope scope, String model, String by) {
    if (!models.contains(model)) {
      return false;
    }
    rows.put(scope, MODEL, model, by);
    return true;
  }

  /// Only inside a transaction of the caller's.
  public void choosePermissions(Scope scope, Permissions now, String by) {
    rows.put(scope, PERMISSIONS, now.word(), by);
  }

  /// What the whole workspace has chosen, if it has. Only inside a transaction of the caller's.
  public Optional<Permissions> permissionsOf(String team) {
    return rows.find(Scope.workspace(team), PERMISSIONS).flatMap(Permissions::read);
  }

  /// What was chosen for a thread is forgotten. Only inside a transaction of the caller's, like the next two.
  public void forget(ThreadKey thread) {
    rows.remove(Scope.thread(thread));
  }

  /// What a person chose for oneself, and that it was this person who chose something for others.
  public void forget(String team, String user) {
    rows.remove(Scope.person(team, user));
    rows.forgetChooser(team, user);
  }

  public void forget(String team) {
    rows.remove(team);
  }

  /// Only inside a transaction of the caller's. None removes what there was.
  public void chooseInstructions(String team, String user, String instructions) {
    var scope = Scope.person(team, user);
    if (instructions.isBlank()) {
      rows.remove(scope, INSTRUCTIONS);
    } else {
      var most = Math.min(instructions.length(), INSTRUCTIONS_CHARACTERS_MAX);
      rows.put(scope, INSTRUCTIONS, instructions.substring(0, most), user);
    }
  }
}
