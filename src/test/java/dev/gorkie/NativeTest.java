package dev.gorkie;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.slack.api.methods.SlackApiTextResponse;
import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// In a native image only what is registered can be filled or read by reflection, and what is missing shows when it runs. Here it
/// shows at once: everything that a library fills or reads for us is walked from the calls down to the last field.
class NativeTest {

  private static final String SDK = "com.slack.api.methods.";
  private static final Set<String> BINDING =
      Set.of("readValue", "treeToValue", "convertValue", "valueToTree", "readValueAs", "readerFor");
  private static final Set<String> OF_A_MACHINE =
      Set.of(
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.security.SecureRandom",
          "java.net.http.HttpClient",
          "java.net.InetAddress",
          "java.lang.Thread",
          "java.lang.ProcessHandle");

  private static final String SLACK_WIRE = "dev.gorkie.slack.SlackHttp";

  private static JavaClasses product;
  private static final Set<Class<?>> REGISTERED = new HashSet<>();

  @BeforeAll
  static void read() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    product = new ClassFileImporter().importPath(java.nio.file.Path.of("target", "classes"));
    for (var type : product) {
      if (type.isAnnotatedWith(RegisterForReflection.class)) {
        var registered = load(type.getName());
        var targets = registered.getAnnotation(RegisterForReflection.class).targets();
        REGISTERED.addAll(targets.length == 0 ? List.of(registered) : List.of(targets));
      }
    }
  }

  @Test
  void every_answer_of_Slacks_is_registered_with_all_that_is_in_it() {
    var answers =
        Stream.concat(
                product.stream()
                    .map(type -> load(type.getName()))
                    .filter(SlackApiTextResponse.class::isAssignableFrom),
                calls().map(NativeTest::answer))
            .filter(type -> !type.isInterface())
            .toList();

    assertTrue(answers.size() > 5, answers.toString());
    assertEquals(Set.of(), missing(answers));
  }

  @Test
  void everything_that_goes_to_Daytona_or_comes_from_it_is_registered() {
    var wires =
        product.stream()
            .filter(JavaClass::isInterface)
            .filter(type -> type.isAnnotatedWith(Path.class))
            .map(type -> load(type.getName()))
            .toList();

    var spoken =
        wires.stream()
            .flatMap(wire -> Arrays.stream(wire.getDeclaredMethods()))
            .flatMap(NativeTest::types)
            .toList();

    assertTrue(wires.size() > 1, wires.toString());
    assertEquals(Set.of(), missing(spoken));
  }

  @Test
  void no_other_JSON_becomes_an_object_by_itself() {
    var bound =
        product.stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(NativeTest::binds)
            // What becomes an object there is an answer of Slack's, by its type.
            .filter(call -> !call.getOriginOwner().getName().equals(SLACK_WIRE))
            .map(JavaMethodCall::getDescription)
            .collect(toCollection(TreeSet::new));

    assertEquals(Set.of(), bound);
  }

  /// What is static is made when the image is, and is the same in every process that is started from it.
  @Test
  void nothing_static_is_of_the_machine_that_builds() {
    var frozen =
        product.stream()
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .filter(field -> OF_A_MACHINE.contains(field.getRawType().getName()))
            .map(JavaField::getFullName)
            .collect(toCollection(TreeSet::new));

    assertEquals(Set.of(), frozen);
  }

  private static boolean binds(JavaMethodCall call) {
    var owner = call.getTargetOwner().getName();
    return owner.startsWith("com.google.gson.Gson")
        || owner.startsWith("com.fasterxml.jackson.databind.Object")
            && BINDING.contains(call.getName());
  }

  private static Stream<JavaMethodCall> calls() {
    return product.stream()
        .flatMap(type -> type.getMethodCallsFromSelf().stream())
        .filter(call -> call.getTargetOwner().getName().startsWith(SDK));
  }

  /// What the SDK makes of Slack's answer to a call of it.
  private static Class<?> answer(JavaMethodCall call) {
    var type = load(call.getTarget().getRawReturnType().getName());
    return SlackApiTextResponse.class.isAssignableFrom(type) ? type : SlackApiTextResponse.class;
  }

  private static Stream<Class<?>> types(Method method) {
    return Stream.concat(
            Stream.of(method.getGenericReturnType()),
            Arrays.stream(method.getGenericParameterTypes()))
        .flatMap(NativeTest::classes);
  }

  /// Those that can be reached from these and are not registered.
  private static Set<String> missing(List<? extends Class<?>> from) {
    var seen = new HashSet<Class<?>>();
    from.forEach(type -> reach(type, seen));
    return seen.stream()
        .filter(type -> !REGISTERED.contains(type))
        .map(Class::getName)
        .collect(toCollection(TreeSet::new));
  }

  private static void reach(Class<?> type, Set<Class<?>> seen) {
    if (!isModel(type) || !seen.add(type)) {
      return;
    }
    Arrays.stream(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .filter(field -> !Modifier.isTransient(field.getModifiers()))
        .flatMap(field -> classes(field.getGenericType()))
        .forEach(part -> reach(part, seen));
    if (type.getSuperclass() != null) {
      reach(type.getSuperclass(), seen);
    }
  }

  // What Java and the JSON libraries bring along, they see to.
  private static boolean isModel(Class<?> type) {
    return type.getName().startsWith("dev.gorkie.") || type.getName().startsWith("com.slack.api.");
  }

  private static Stream<Class<?>> classes(Type type) {
    return switch (type) {
      case Class<?> one -> Stream.of(one.isArray() ? one.componentType() : one);
      case ParameterizedType many ->
          Stream.concat(Stream.of(many.getRawType()), Arrays.stream(many.getActualTypeArguments()))
              .flatMap(NativeTest::classes);
      default -> Stream.empty();
    };
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, NativeTest.class.getClassLoader());
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
