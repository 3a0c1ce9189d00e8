package dev.gorkie.api;

/// Ends a request with a problem.
final class Refused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  Refused(Problem problem) {
    super(problem.code());
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
