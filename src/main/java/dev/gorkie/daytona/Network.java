package dev.gorkie.daytona;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What machines may reach: everything that the account's tier allows, nothing, or what is listed.
record Network(boolean isClosed, Set<String> addresses, Set<String> domains) {

  private static final String OPEN = "open";
  private static final String CLOSED = "none";
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+(/\\d{1,2})?");

  /// `open`, `none`, or names and IPv4 blocks with commas between them.
  static Network of(String setting) {
    var entries =
        Arrays.stream(setting.split(","))
            .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
            .filter(Predicate.not(String::isEmpty))
            .collect(Collectors.toCollection(TreeSet::new));
    if (entries.isEmpty() || entries.equals(Set.of(OPEN))) {
      return new Network(false, Set.of(), Set.of());
    }
    if (entries.equals(Set.of(CLOSED))) {
      return new Network(true, Set.of(), Set.of());
    }
    return new Network(
        false,
        those(entries, entry -> ADDRESS.matcher(entry).matches()),
        those(entries, entry -> !ADDRESS.matcher(entry).matches()));
  }

  /// As Daytona says it of a machine.
  static Network of(
      Optional<Boolean> blockAll, Optional<String> addresses, Optional<String> domains) {
    return new Network(
        blockAll.orElse(false), listed(addresses.orElse("")), listed(domains.orElse("")));
  }

  boolean isOpen() {
    return !isClosed && addresses.isEmpty() && domains.isEmpty();
  }

  /// Whether it lets nothing be reached that the other one does not. Blocks are compared as they are written.
  boolean isWithin(Network other) {
    if (isClosed || other.isOpen()) {
      return true;
    }
    return !other.isClosed
        && !isOpen()
        && other.addresses.containsAll(addresses)
        && domains.stream()
            .allMatch(domain -> other.domains.contains(domain) || other.names(domain));
  }

  /// What both let be reached.
  Network and(Network other) {
    if (isWithin(other)) {
      return this;
    }
    if (other.isWithin(this)) {
      return other;
    }
    var all = new HashSet<>(domains);
    all.addAll(other.domains);
    var both =
        new Network(
            false,
            those(addresses, other.addresses::contains),
            those(all, domain -> lists(domain) && other.lists(domain)));
    return both.isOpen() ? of(CLOSED) : both;
  }

  private boolean lists(String domain) {
    return domains.contains(domain) || names(domain);
  }

  /// Whether a host of this name is listed, by itself or with all that end like it.
  boolean names(String host) {
    return domains.stream()
        .anyMatch(
            domain ->
                domain.startsWith("*.") ? host.endsWith(domain.substring(1)) : host.equals(domain));
  }

  Optional<String> addressList() {
    return list(addresses);
  }

  Optional<String> domainList() {
    return list(domains);
  }

  private static Optional<String> list(Set<String> entries) {
    return Optional.of(String.join(",", new TreeSet<>(entries))).filter(list -> !list.isEmpty());
  }

  private static Set<String> listed(String list) {
    return those(
        Arrays.stream(list.split(","))
            .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet()),
        Predicate.not(String::isEmpty));
  }

  private static Set<String> those(Set<String> entries, Predicate<String> wanted) {
    return entries.stream()
        .filter(wanted)
        .map(
            entry ->
                ADDRESS.matcher(entry).matches() && !entry.contains("/") ? entry + "/32" : entry)
        .collect(Collectors.toUnmodifiableSet());
  }
}
