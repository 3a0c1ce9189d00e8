package dev.gorkie.floor;

import io.quarkus.hibernate.orm.panache.PanacheEntity;
import jakarta.persistence.Entity;

/// Without a table of something the database's part would not be there at all.
@Entity
public class Row extends PanacheEntity {
  public String text;
}
