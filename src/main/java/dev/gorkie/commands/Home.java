package dev.gorkie.commands;

import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.preferences.Scope;
import dev.gorkie.slack.AtHome;
import dev.gorkie.slack.HomePage;
import dev.gorkie.turns.Spending;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

/// What a person finds on our page: what there is to know, and what the person may choose.
@ApplicationScoped
public class Home {

  private static final String WHO =
      "Mention me in a channel or write to me directly. Everybody who can see a channel that I am in can use me there; what I do in"
          + " a thread, all who see it can read.";
  private static final String CHANNELS =
      "In a channel, /gorkie tells and changes what counts there; in a thread, !help tells how.";

  private final Database database;
  private final Inbox inbox;
  private final Preferences preferences;
  private final Spending spending;
  private final HomePage page;

  @Inject
  Home(Database database, Inbox inbox, Preferences preferences, Spending spending, HomePage page) {
    this.database = database;
    this.inbox = inbox;
    this.preferences = preferences;
    this.spending = spending;
    this.page = page;
  }

  /// Writes down what the person has changed.
  public void change(AtHome at) {
    at.change()
        .ifPresent(
            change ->
                database.transaction(
                    () ->
                        switch (change) {
                          case AtHome.Change.Model(var model) ->
                              preferences.chooseModel(
                                  Scope.person(at.team(), at.user()), model, at.user());
                          case AtHome.Change.Instructions(var text) -> {
                            preferences.chooseInstructions(at.team(), at.user(), text);
                            yield true;
                          }
                        }));
  }

  /// Shows the person how things are.
  public void show(AtHome at) {
    var spent = spending.by(at.team(), at.user());
    var chosen = preferences.ofPerson(at.team(), at.user());
    var working =
        "At work in this workspace: %d. Your turns today: %d, for $%s."
            .formatted(inbox.atWork(at.team()), spent.turns(), Money.of(spent.cost()));
    page.publish(
        at.team(),
        at.user(),
        new HomePage.Shown(
            List.of(WHO, working, CHANNELS),
            preferences.models(),
            chosen.model(),
            chosen.instructions(),
            Preferences.INSTRUCTIONS_CHARACTERS_MAX));
  }
}
