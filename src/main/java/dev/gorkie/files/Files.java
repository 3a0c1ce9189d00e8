package dev.gorkie.files;

import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.slack.Attachment;
import dev.gorkie.slack.AttachmentRefused;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Reply;
import dev.gorkie.slack.SlackFiles;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// What people attach goes into the sandbox, and what Pi shows goes to the people.
@ApplicationScoped
public class Files {

  private static final Logger LOG = Logger.getLogger(Files.class);

  /// What Slack takes for one file. Counted as it streams; the size that was declared is not believed.
  static final long BYTES_MAX = 1_000_000_000;

  // Slack's own composer takes ten.
  static final int FILES_MAX = 50;

  private static final String TOO_MANY =
      "I take %d files at once. Please send the others in your next message.";
  private static final String NOT_WANTED = "The work ended before it was taken in.";
  private static final String NOT_TOLD =
      "Slack does not say whether there is a file. If there is one, please attach it again.";

  private final SlackFiles slack;

  @Inject
  Files(SlackFiles slack) {
    this.slack = slack;
  }

  /// Each file of the message, in the sandbox or refused by name, and told in the thread either way. One that cannot be had keeps no
  /// other from coming.
  ///
  /// @param calledOff whether nobody wants them any more
  public List<Carried> bringIn(
      MessageEvent event, Sandbox sandbox, Reply reply, BooleanSupplier calledOff) {
    var names = new FileNames();
    var carried = new ArrayList<Carried>();
    for (var attachment : attached(event, reply, carried, calledOff)) {
      if (carried.size() == FILES_MAX) {
        carried.add(rest(event, reply));
        break;
      }
      // A folder for each message: two that bring a file of the same name keep both.
      var path = "attachments/" + event.ts() + "/" + names.distinct(attachment.name());
      var step = event.ts() + "/" + carried.size();
      reply.step(step, "Taking in " + name(attachment), "");
      var one = carried(event.team(), attachment, path, sandbox, calledOff);
      carried.add(one);
      if (one instanceof Carried.Refused(_, var reason)) {
        reply.stepFailed(step, reason);
      } else {
        reply.stepDone(step, "");
      }
    }
    return carried;
  }

  private List<Attachment> attached(
      MessageEvent event, Reply reply, List<Carried> carried, BooleanSupplier calledOff) {
    try {
      return slack.of(event, calledOff);
    } catch (IOException e) {
      LOG.warnf("What is attached to event %s is not known: %s", event.eventId(), e.getMessage());
      carried.add(
          refused(
              event,
              reply,
              "what may be attached",
              calledOff.getAsBoolean() ? NOT_WANTED : NOT_TOLD));
      return List.of();
    }
  }

  private static Carried rest(MessageEvent event, Reply reply) {
    return refused(event, reply, "the rest", TOO_MANY.formatted(FILES_MAX));
  }

  private static Carried refused(MessageEvent event, Reply reply, String what, String reason) {
    var step = event.ts() + "/rest";
    reply.step(step, "Taking in " + what, "");
    reply.stepFailed(step, reason);
    return new Carried.Refused(what, reason);
  }

  /// One file that was shown earlier, into a folder of this name.
  public Carried bringIn(String team, Attachment attachment, String folder, Sandbox sandbox) {
    var name = new FileNames().distinct(attachment.name());
    return carried(team, attachment, "attachments/" + folder + "/" + name, sandbox, () -> false);
  }

  /// The way out for the files of one turn.
  public Outgoing outgoing(Sandbox sandbox, Reply reply) {
    return new Outgoing(sandbox, reply);
  }

  private static String name(Attachment attachment) {
    return attachment.name().isBlank() ? "a file" : attachment.name();
  }

  private Carried carried(
      String team, Attachment attachment, String path, Sandbox sandbox, BooleanSupplier calledOff) {
    if (calledOff.getAsBoolean()) {
      return notWanted(attachment);
    }
    try (var content = slack.open(team, attachment, BYTES_MAX)) {
      sandbox.upload(sandbox.workDirectory() + "/" + path, new Wanted(content, calledOff));
      return new Carried.In(name(attachment), path, attachment.mimetype());
    } catch (AttachmentRefused refused) {
      LOG.infof("Attachment %s stays out: %s", attachment.id(), refused.getMessage());
      return new Carried.Refused(name(attachment), "It " + refused.reason().phrase() + ".");
    } catch (Failure failure) {
      if (calledOff.getAsBoolean()) {
        return notWanted(attachment);
      }
      LOG.warnf("Attachment %s stays out: %s", attachment.id(), failure.getMessage());
      return new Carried.Refused(name(attachment), failure.code().sentence());
    } catch (IOException e) {
      LOG.warnf(e, "Attachment %s broke off", attachment.id());
      return new Carried.Refused(
          name(attachment), "It could not be read from Slack. Please attach it again.");
    }
  }

  private static Carried notWanted(Attachment attachment) {
    LOG.infof("Attachment %s is not wanted any more", attachment.id());
    return new Carried.Refused(name(attachment), NOT_WANTED);
  }

  /// Breaks off in the middle of a long file when nobody wants it any more.
  private static final class Wanted extends FilterInputStream {

    private final BooleanSupplier calledOff;

    Wanted(InputStream content, BooleanSupplier calledOff) {
      super(content);
      this.calledOff = calledOff;
    }

    @Override
    public int read() throws IOException {
      mustBeWanted();
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      mustBeWanted();
      return super.read(bytes, from, most);
    }

    private void mustBeWanted() throws IOException {
      if (calledOff.getAsBoolean()) {
        throw new IOException("Nobody wants it any more");
      }
    }
  }
}
