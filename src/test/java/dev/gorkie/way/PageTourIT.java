package dev.gorkie.way;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A newcomer, who presses what the page offers.
class PageTourIT {

  private final Onlooker onlooker = Onlooker.open();

  @AfterEach
  void leave() {
    onlooker.leave();
  }

  @Test
  void the_tour_shows_a_plot_a_job_that_is_steered_and_stopped_and_a_lost_computer()
      throws Exception {
    // She is new here, and in none of the channels that others have made for themselves.
    onlooker.slack().addPerson("mary", "Mary Jackson");
    var page = onlooker.page(1_440, 900);
    page.navigate(onlooker.url(""));
    page.getByLabel("You speak as").selectOption("Mary Jackson");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Take the tour")).click();
    assertThat(page.getByText("This is the beginning of #general")).isVisible();
    onlooker.assertAccessible(page);
    onlooker.picture(page, "tour");
    var tour = page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Tour"));

    press(tour, "Ask for a plot");
    assertThat(page.locator(".thread .picture img")).isVisible();
    assertThat(page.locator(".thread .at-work")).hasCount(0);
    press(tour, "Start a long job");
    press(tour, "Say something meanwhile");
    // It was heard: Gorkie puts its mark on it.
    assertThat(page.locator(".thread .reaction").first()).hasText("✅1");
    press(tour, "Stop it");
    assertThat(page.locator(".thread").getByText("Stopped.")).isVisible();
    press(tour, "Delete its computer");
    press(tour, "Ask again");

    assertThat(page.locator(".thread").getByText("Same conversation, new computer")).isVisible();
    assertThat(tour.getByText("That is it")).isVisible();
    page.keyboard().press("Control+b");
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Lease")))
        .isVisible();
    for (var part : new String[] {"Computer", "Journal"}) {
      page.locator(".curtain summary").getByText(part).first().click();
    }
    assertThat(page.locator(".records > li").first()).isVisible();
    assertThat(page.locator(".said")).isHidden();
    page.locator(".curtain .scroll").evaluate("node => node.scrollTop = 0");
    onlooker.picture(page, "curtain");
  }

  private static void press(Locator tour, String name) {
    tour.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name)).click();
  }
}
