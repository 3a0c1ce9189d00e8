package dev.gorkie.ingress;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.gorkie.settings.Role;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.inject.Inject;

/// Turns a failed answer of the worker into a failed invocation.
///
/// The HTTP mapping reports any event as handled, whatever came of it: without this Lambda would never try
/// again and its failure queue would stay empty.
@Decorator
@Priority(1)
class WorkerOutcome implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

  private final RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> mapping;
  private final Role role;

  @Inject
  WorkerOutcome(
      @Delegate RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> mapping,
      Role role) {
    this.mapping = mapping;
    this.role = role;
  }

  @Override
  public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
    var response = mapping.handleRequest(event, context);
    if (role == Role.WORKER && response.getStatusCode() >= 400) {
      throw new WorkFailed(event.getRawPath(), response.getStatusCode());
    }
    return response;
  }

  /// Lambda reads its name and message.
  static final class WorkFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WorkFailed(String path, int status) {
      super(path + " came to " + status);
    }
  }
}
