package dev.gorkie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.gorkie.slack.AttachmentRefused;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What people read when something went wrong: what happened and what to do now, in words that they know.
class SentencesTest {

  private static final Pattern SENTENCES = Pattern.compile("([A-Z“][^.]*\\.( |$))+");

  // Somebody is asked for something, or told what can be done.
  private static final Pattern NEXT_STEP =
      Pattern.compile(
          "(?i)\\b(please|ask|tell|say “|write|try|send|go on|look at|attach|download)\\b|say “");

  // Words of ours, and of those who wrote the machines.
  private static final Pattern INTERNAL =
      Pattern.compile(
          "(?i)\\b(sandbox|keeper|pty|terminal|worker|lease|fence|journal|outbox|inbox|daytona|lambda|json|http|api|token|scope|image"
              + "|exception|null|database|transaction|session|turn|rpc|stack|error|exit code)s?\\b|[_{}<>%]|\\bPi\\b");

  @Test
  void every_failure_says_what_happened_and_what_to_do_in_plain_words() {
    var codes = codes();

    assertTrue(codes.size() > 40, codes.toString());
    for (var code : codes) {
      for (var said : List.of(code.sentence(), code.sentenceAfterWork())) {
        var whose = code.name() + ": " + said;
        assertTrue(SENTENCES.matcher(said).matches(), whose);
        assertTrue(NEXT_STEP.matcher(said).find(), whose);
        assertEquals(
            List.of(), INTERNAL.matcher(said).results().map(it -> it.group()).toList(), whose);
      }
    }
  }

  @Test
  void whoever_is_to_tell_the_operator_is_told_so_and_nobody_else() {
    for (var code : codes()) {
      var isToTell = Pattern.compile("whoever runs Gorkie").matcher(code.sentence()).find();
      if (code.fault() == Fault.OPERATOR) {
        assertTrue(isToTell, code.name() + ": " + code.sentence());
      }
      if (code.fault() == Fault.PERSON) {
        assertTrue(!isToTell, code.name() + ": " + code.sentence());
      }
    }
  }

  @Test
  void every_file_that_is_refused_comes_with_what_to_do_about_it() {
    for (var reason : AttachmentRefused.Reason.values()) {
      var said = "It " + reason.phrase() + ".";
      assertTrue(SENTENCES.matcher(said.replace(" 1 GB", "")).matches(), said);
      assertTrue(NEXT_STEP.matcher(said).find(), said);
    }
  }

  /// All there are, whichever room they are of.
  private static List<FailureCode> codes() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    var found = new ArrayList<FailureCode>();
    for (var type : new ClassFileImporter().importPath(Path.of("target", "classes"))) {
      if (type.isEnum() && type.isAssignableTo(FailureCode.class)) {
        Stream.of(type.reflect().getEnumConstants())
            .map(FailureCode.class::cast)
            .forEach(found::add);
      }
    }
    return found;
  }
}
