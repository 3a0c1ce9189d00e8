package dev.gorkie.commands;

import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.preferences.Scope;
import dev.gorkie.slack.AtHome;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.HomePage;
import dev.gorkie.tasks.Tasks;
import dev.gorkie.turns.Spending;
import dev.gorkie.turns.Underway;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a person finds on our page: what there is to know, and what the person may choose.
@ApplicationScoped
public class Home {

  private static final String WHO =
      "Mention me in a channel or write to me directly. Everybody who can see a channel that I am in can use me there; what I do in"
          + " a thread, all who see it can read.";
  private static final String ELSEWHERE =
      "Here you choose for yourself. What counts in a channel, /gorkie tells and changes there; what counts in a thread, !help tells how.";

  private final Database database;
  private final Inbox inbox;
  private final Preferences preferences;
  private final Spending spending;
  private final Tasks tasks;
  private final Underway underway;
  private final Conversations conversations;
  private final HomePage page;

  @Inject
  Home(
      Database database,
      Inbox inbox,
      Preferences preferences,
      Spending spending,
      Tasks tasks,
      Underway underway,
      Conversations conversations,
      HomePage page) {
    this.database = database;
    this.inbox = inbox;
    this.preferences = preferences;
    this.spending = spending;
    this.tasks = tasks;
    this.underway = underway;
    this.conversations = conversations;
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
    var chosen = preferences.ofPerson(at.team(), at.user());
    page.publish(
        at.team(),
        at.user(),
        new HomePage.Shown(
            WHO,
            underway.of(at.team(), at.user()).stream().map(run -> shown(at.team(), run)).toList(),
            cost(at),
            tasks.ofPerson(at.team(), at.user()),
            ELSEWHERE,
            preferences.models(),
            chosen.model(),
            chosen.instructions(),
            Preferences.INSTRUCTIONS_CHARACTERS_MAX,
            at.change().isPresent()));
  }

  private HomePage.Run shown(String team, Underway.Run run) {
    return new HomePage.Run(
        conversations.link(team, run.channel(), run.ts()),
        Optional.of(run.channel()).filter(channel -> !channel.startsWith("D")),
        (run.waits() ? "Waiting for an answer, begun " : "Working, begun ") + ago(run.since()));
  }

  private static String ago(Duration since) {
    return since.toHours() > 0
        ? since.toHours() + " h ago"
        : since.toMinutes() > 0 ? since.toMinutes() + " min ago" : "just now";
  }

  private List<String> cost(AtHome at) {
    var today = spending.by(at.team(), at.user());
    var lately = spending.lately(at.team(), at.user());
    var most =
        spending
            .mostForPerson()
            .map(limit -> ", of $" + Money.of(limit) + " that you may spend in a day")
            .orElse("");
    return List.of(
        "Your turns today: %d, for $%s%s.".formatted(today.turns(), Money.of(today.cost()), most),
        "In the last 30 days: %d, for $%s.".formatted(lately.turns(), Money.of(lately.cost())),
        "At work in this workspace: %d.".formatted(inbox.atWork(at.team())));
  }
}
