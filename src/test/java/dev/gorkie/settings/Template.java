package dev.gorkie.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/// What is deployed to AWS, with CloudFormation's own words worked out for certain parameters: what refers to a resource becomes its
/// name.
final class Template {

  private static final Pattern BLANK = Pattern.compile("\\$\\{([^}]+)}");

  private final Map<String, Object> whole;
  private final Map<String, String> parameters = new LinkedHashMap<>();

  private Template(Map<String, Object> whole, Map<String, String> chosen) {
    this.whole = whole;
    map(whole, "Parameters")
        .forEach(
            (name, rule) -> {
              var usual = ((Map<?, ?>) rule).get("Default");
              if (usual != null) {
                parameters.put(name, usual.toString());
              }
            });
    parameters.putAll(chosen);
    parameters.put("AWS::StackName", "gorkie");
    parameters.put("AWS::Region", "eu-central-1");
    parameters.put("AWS::AccountId", "000000000000");
    parameters.put("AWS::Partition", "aws");
    parameters.put("AWS::URLSuffix", "amazonaws.com");
  }

  static Template with(Map<String, String> parameters) throws IOException {
    var text = Files.readString(Path.of("deploy", "sam-template.yaml"));
    return new Template(new Yaml(new Words()).load(text), parameters);
  }

  /// Of all that an operator may choose.
  static Set<String> names() throws IOException {
    return map(with(Map.of()).whole, "Parameters").keySet();
  }

  String parameter(String name) {
    return Objects.requireNonNull(parameters.get(name), name);
  }

  /// Whether this value may be chosen for it.
  boolean accepts(String parameter, String value) {
    var rule = map(map(whole, "Parameters"), parameter);
    var pattern = rule.get("AllowedPattern");
    var values = rule.get("AllowedValues");
    return (pattern == null || value.matches(pattern.toString()))
        && (values == null
            || ((List<?>) values).stream().map(String::valueOf).anyMatch(value::equals))
        && (at(rule, "Type").equals("String") || value.matches("[0-9.,a-z-]+"));
  }

  /// The resources of a type that there are with these parameters, by their names.
  Map<String, Map<String, Object>> resources(String type) {
    var found = new LinkedHashMap<String, Map<String, Object>>();
    map(whole, "Resources")
        .forEach(
            (name, value) -> {
              var resource = cast(value);
              var condition = resource.get("Condition");
              if (type.equals(resource.get("Type"))
                  && (condition == null || holds(condition.toString()))) {
                found.put(name, cast(worked(resource.get("Properties"))));
              }
            });
    return found;
  }

  /// What all functions have in common.
  Map<String, Object> functions() {
    return cast(worked(map(map(whole, "Globals"), "Function")));
  }

  static Map<String, Object> map(Map<String, Object> in, String name) {
    return cast(at(in, name));
  }

  /// What has to be there.
  static Object at(Map<String, Object> in, String name) {
    return Objects.requireNonNull(in.get(name), name);
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> cast(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  private boolean holds(String condition) {
    return (Boolean) Objects.requireNonNull(worked(map(whole, "Conditions").get(condition)));
  }

  /// Null for what is not there.
  private @Nullable Object worked(@Nullable Object value) {
    return switch (value) {
      case Word(var name, var about) -> said(name, about);
      case Map<?, ?> fields -> {
        var result = new LinkedHashMap<String, Object>();
        fields.forEach(
            (name, inner) -> {
              var done = worked(inner);
              if (done != null) {
                result.put(name.toString(), done);
              }
            });
        yield result;
      }
      case List<?> items -> items.stream().map(this::worked).filter(Objects::nonNull).toList();
      case null -> null;
      default -> value;
    };
  }

  private @Nullable Object said(String word, Object about) {
    return switch (word) {
      case "!Ref" -> about.equals("AWS::NoValue") ? null : known(about.toString());
      case "!GetAtt" -> about.toString();
      case "!Sub" ->
          BLANK
              .matcher(about.toString())
              .replaceAll(blank -> Matcher.quoteReplacement(known(blank.group(1))));
      case "!If" -> {
        var three = (List<?>) about;
        yield worked(three.get(holds(three.get(0).toString()) ? 1 : 2));
      }
      case "!Equals" -> {
        var two = new ArrayList<Object>();
        ((List<?>) about).forEach(one -> two.add(String.valueOf(worked(one))));
        yield two.get(0).equals(two.get(1));
      }
      case "!Not" -> !(Boolean) Objects.requireNonNull(worked(((List<?>) about).getFirst()));
      case "!Condition" -> holds(about.toString());
      case "!And" ->
          ((List<?>) about).stream().allMatch(one -> (Boolean) Objects.requireNonNull(worked(one)));
      case "!Or" ->
          ((List<?>) about).stream().anyMatch(one -> (Boolean) Objects.requireNonNull(worked(one)));
      case "!Join" -> String.valueOf(worked(((List<?>) about).get(1)));
      default -> throw new IllegalStateException("Nobody has said here what " + word + " means");
    };
  }

  private String known(String name) {
    return parameters.getOrDefault(name, name);
  }

  private record Word(String name, Object about) {}

  /// YAML's own types, and CloudFormation's words as they are.
  private static final class Words extends SafeConstructor {

    Words() {
      super(new LoaderOptions());
      yamlMultiConstructors.put(
          "!",
          new AbstractConstruct() {
            @Override
            public Object construct(Node node) {
              return new Word(node.getTag().getValue(), about(node));
            }
          });
    }

    private Object about(Node node) {
      return switch (node) {
        case ScalarNode scalar -> scalar.getValue();
        case SequenceNode list -> constructSequence(list);
        case MappingNode fields -> constructMapping(fields);
        default -> throw new IllegalStateException(node + " is none of " + Tag.STR);
      };
    }
  }
}
