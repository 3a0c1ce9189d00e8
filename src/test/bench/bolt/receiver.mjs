// What the first function does, written with Bolt for JavaScript: verifies, hands over to the second function, answers.

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import bolt from '@slack/bolt';

const receiver = new bolt.AwsLambdaReceiver({ signingSecret: process.env.SLACK_SIGNING_SECRET });
const app = new bolt.App({
  receiver,
  authorize: async () => ({ botToken: 'xoxb-not-used', botId: 'B1', botUserId: 'U2' }),
});
const lambda = new LambdaClient({});

app.event('app_mention', async ({ body }) => {
  await lambda.send(
    new InvokeCommand({
      FunctionName: process.env.GORKIE_WORKER_FUNCTION,
      InvocationType: 'Event',
      Payload: Buffer.from(JSON.stringify(body)),
    }),
  );
});

export const handler = await receiver.start();
