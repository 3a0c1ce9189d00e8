package dev.gorkie.local.daytona;

/// A call that gets an error for an answer; how its body looks depends on who answers.
final class Refused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;

  Refused(int status, String message) {
    this(status, codeOf(status), message);
  }

  Refused(int status, String code, String message) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  String phrase() {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 404 -> "Not Found";
      case 408 -> "Request Timeout";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 422 -> "Unprocessable Entity";
      default -> "Internal Server Error";
    };
  }

  String text() {
    return String.valueOf(getMessage());
  }

  private static String codeOf(int status) {
    return switch (status) {
      case 400 -> "BAD_REQUEST";
      case 401 -> "UNAUTHORIZED";
      case 404 -> "NOT_FOUND";
      case 408 -> "REQUEST_TIMEOUT";
      case 409 -> "CONFLICT";
      case 410 -> "GONE";
      case 422 -> "UNPROCESSABLE_ENTITY";
      default -> "INTERNAL_SERVER_ERROR";
    };
  }
}
