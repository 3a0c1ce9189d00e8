package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

  @Test
  void a_url_as_hosts_hand_it_out_becomes_one_for_jdbc() {
    var url =
        DatabaseUrl.parse(
            "postgresql://ada:p%40ss+word@db.example.com/gorkie?sslmode=require&channel_binding=require");

    assertEquals(
        Optional.of(
            new DatabaseUrl(
                "jdbc:postgresql://db.example.com/gorkie?sslmode=require&prepareThreshold=0",
                Optional.of("ada"),
                Optional.of("p@ss+word"))),
        url);
  }

  @Test
  void a_jdbc_url_keeps_what_it_says() {
    var url =
        DatabaseUrl.parse(
            "jdbc:postgresql://127.0.0.1:4505/gorkie?user=ada&password=x%26y&prepareThreshold=3");

    assertEquals(
        Optional.of(
            new DatabaseUrl(
                "jdbc:postgresql://127.0.0.1:4505/gorkie?prepareThreshold=3",
                Optional.of("ada"),
                Optional.of("x&y"))),
        url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mysql://a:b@c/d",
        "postgresql://",
        "postgresql://host",
        "postgresql://host/",
        "host/name",
        "postgresql://a b/c",
        ""
      })
  void what_is_no_postgresql_url_is_none(String text) {
    assertEquals(Optional.empty(), DatabaseUrl.parse(text));
  }
}
