package dev.gorkie.campaign;

import java.io.IOException;

/// What people do in a history until its thread is left to itself.
interface Tale {

  void tell(History history) throws IOException, InterruptedException;

  /// One message, after another turn where that is wished, and a stop where that is.
  static Tale ofOneMessage() {
    return history -> {
      if (history.wish().warm()) {
        history.say(new Wish("plain", 30, true, false), Plan.none());
        history.awaitRest();
      }
      history.say(history.wish(), history.plan());
      if (history.wish().isStopped()) {
        history.stop();
      }
    };
  }

  /// One message, and all that Slack does until it is told that we have it.
  static Tale ofOneDelivered() {
    return history -> {
      ofOneMessage().tell(history);
      history.awaitDelivered();
    };
  }

  /// One message that begins jobs, something that happens to them while they run, and their ends.
  static Tale ofJobs(Tale meanwhile) {
    return history -> {
      history.say(history.wish(), history.plan());
      history.awaitRest();
      meanwhile.tell(history);
      history.awaitJobs();
    };
  }
}
