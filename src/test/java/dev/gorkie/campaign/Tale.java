package dev.gorkie.campaign;

/// What people do in a history until its thread is left to itself.
interface Tale {

  void tell(History history) throws InterruptedException;

  /// One message, after another turn where that is wished.
  static Tale ofOneMessage() {
    return history -> {
      if (history.wish().warm()) {
        history.say(new Wish("plain", 30, true, false), Plan.none());
        history.awaitRest();
      }
      history.say(history.wish(), history.plan());
    };
  }
}
