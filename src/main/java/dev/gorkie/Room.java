package dev.gorkie;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A package's nameplate: the rooms it may use besides this one. A test holds the walls.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PACKAGE)
public @interface Room {

  String[] uses() default {};
}
