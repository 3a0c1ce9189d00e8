package dev.gorkie;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Reads the compiled classes and holds the walls that the nameplates declare.
class HouseTest {

  private static final String HOUSE = "dev.gorkie";
  private static final String OUTSIDE = "dev.gorkie.local";
  private static final Set<String> USED_BY_NONE = Set.of("ingress", "api", "daytona");

  private static JavaClasses product;
  private static JavaClasses everything;
  private static final Map<String, Set<String>> DECLARED = new HashMap<>();

  @BeforeAll
  static void readTheHouse() throws ClassNotFoundException {
    // What is not ours is only a name here; looking it up would take most of the time.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    product = new ClassFileImporter().importPath(Path.of("target", "classes"));
    everything =
        new ClassFileImporter()
            .importPaths(Path.of("target", "classes"), Path.of("target", "test-classes"));
    for (var room : rooms()) {
      var nameplate = Class.forName(HOUSE + "." + room + ".package-info").getPackage();
      var declared = nameplate.getAnnotation(Room.class);
      assertTrue(declared != null, room + " has no nameplate");
      assertTrue(nameplate.isAnnotationPresent(NullMarked.class), room + " is not null-marked");
      DECLARED.put(room, Set.of(declared.uses()));
    }
  }

  @Test
  void no_room_uses_a_neighbour_it_does_not_declare() {
    var broken = new TreeSet<String>();
    for (var type : product) {
      for (var dependency : type.getDirectDependenciesFromSelf()) {
        var from = room(type);
        var to = room(dependency.getTargetClass());
        if (!to.isEmpty()
            && !to.equals(from)
            && !DECLARED.getOrDefault(from, Set.of()).contains(to)) {
          broken.add(dependency.getDescription());
        }
      }
    }
    assertEquals(Set.of(), broken);
  }

  @Test
  void no_room_is_declared_that_is_not_used_or_not_there() {
    for (var room : DECLARED.keySet()) {
      var used =
          product.stream()
              .filter(type -> room(type).equals(room))
              .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
              .map(dependency -> room(dependency.getTargetClass()))
              .filter(to -> !to.isEmpty() && !to.equals(room))
              .collect(toSet());
      assertEquals(DECLARED.get(room), used, room);
    }
  }

  @Test
  void the_doors_and_the_landlord_are_used_by_none() {
    DECLARED.forEach(
        (room, uses) ->
            assertTrue(uses.stream().noneMatch(USED_BY_NONE::contains), room + " uses " + uses));
  }

  @Test
  void calls_go_down_only() {
    for (var room : DECLARED.keySet()) {
      assertFalse(below(room, new HashSet<>()).contains(room), room + " stands above itself");
    }
  }

  @Test
  void the_world_outside_uses_no_room_and_no_room_uses_it() {
    var broken = new ArrayList<String>();
    for (var type : everything) {
      for (var dependency : type.getDirectDependenciesFromSelf()) {
        var target = dependency.getTargetClass();
        if (isOutside(type) && target.getPackageName().startsWith(HOUSE) && !isOutside(target)) {
          broken.add(dependency.getDescription());
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(product.stream().noneMatch(HouseTest::isOutside));
  }

  @Test
  void the_tests_inside_an_application_are_those_that_share_one_process() throws IOException {
    var inside =
        everything.stream()
            .filter(type -> type.isAnnotatedWith(QuarkusTest.class))
            .map(type -> type.getName().replace('.', '/') + ".java")
            .sorted()
            .toList();

    assertEquals(inside, Files.readAllLines(Path.of("src", "test", "inside-quarkus.txt")));
  }

  private static Set<String> below(String room, Set<String> seen) {
    for (var lower : DECLARED.getOrDefault(room, Set.of())) {
      if (seen.add(lower)) {
        below(lower, seen);
      }
    }
    return seen;
  }

  private static Set<String> rooms() {
    return product.stream().map(HouseTest::room).filter(room -> !room.isEmpty()).collect(toSet());
  }

  private static boolean isOutside(JavaClass type) {
    return type.getPackageName().startsWith(OUTSIDE);
  }

  /// Empty for the base package and for what is not ours.
  private static String room(JavaClass type) {
    var name = type.getPackageName();
    if (!name.startsWith(HOUSE + ".")) {
      return "";
    }
    return name.substring(HOUSE.length() + 1).split("\\.", 2)[0];
  }
}
