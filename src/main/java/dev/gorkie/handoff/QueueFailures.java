package dev.gorkie.handoff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.aws.AwsJson;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jboss.logging.Logger;

/// The queue that is the worker's destination on failure.
final class QueueFailures implements Failures {

  private static final Logger LOG = Logger.getLogger(QueueFailures.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  // The most that one call gives out.
  private static final int MESSAGES_MAX = 10;
  // One look, with all that it drives back in, is over by then.
  private static final int HIDDEN_SECONDS = 60;

  private final AwsJson sqs;
  private final String queueUrl;

  QueueFailures(AwsJson sqs, String queueUrl) {
    this.sqs = sqs;
    this.queueUrl = queueUrl;
  }

  @Override
  public List<Failed> look() throws IOException {
    var request =
        JSON.createObjectNode()
            .put("QueueUrl", queueUrl)
            .put("MaxNumberOfMessages", MESSAGES_MAX)
            .put("VisibilityTimeout", HIDDEN_SECONDS);
    var answer = JSON.readTree(sqs.call("AmazonSQS.ReceiveMessage", request.toString()));
    var failed = new ArrayList<Failed>();
    for (var message : answer.path("Messages")) {
      failed.add(failed(message));
    }
    return failed;
  }

  @Override
  public void remove(Failed failed) throws IOException {
    var request =
        JSON.createObjectNode().put("QueueUrl", queueUrl).put("ReceiptHandle", failed.receipt());
    sqs.call("AmazonSQS.DeleteMessage", request.toString());
  }

  /// A wake has failed for a message that is in the inbox: the sweep finds it there.
  private static Failed failed(JsonNode message) throws IOException {
    var receipt = message.path("ReceiptHandle").asText();
    var body = JSON.readTree(message.path("Body").asText());
    var event = body.path("requestPayload");
    var since = since(body.path("timestamp").asText());
    if (!event.path("rawPath").asText().equals(LambdaHandoff.DELIVERIES)) {
      LOG.infof("A failed invocation of %s is left to the sweep", event.path("rawPath").asText());
      return new Failed(receipt, new Delivery(new byte[0]), since);
    }
    return new Failed(
        receipt, new Delivery(Base64.getDecoder().decode(event.path("body").asText())), since);
  }

  private static Instant since(String timestamp) {
    try {
      return Instant.parse(timestamp);
    } catch (DateTimeParseException _) {
      return Instant.EPOCH;
    }
  }
}
