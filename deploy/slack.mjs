// Slack's side of deploying: the app from its manifest, and a message to try it with.

import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { library } from './libraries.mjs';
import { Complaint } from './tools.mjs';

const CALL_MS_MAX = 30_000;
// A first sandbox, a first start of Pi and a slow model; whoever tries it waits no longer either.
const ANSWER_MS_MAX = 240_000;
const LOOK_MS = Number(process.env.GORKIE_LOOK_MS ?? 2_000);
const EXAMPLE = 'https://gorkie.example.com';

/** A method of the Web API; its refusal is a sentence. */
async function call(api, method, token, fields) {
  let answer;
  try {
    const response = await fetch(new URL(method, api.replace(/\/*$/, '/')), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    answer = response.headers.get('content-type')?.includes('json') ? await response.json() : { ok: false, error: `${response.status}` };
  } catch (error) {
    throw new Complaint(`Slack does not answer at ${api}: ${error.cause?.message || error.message}`);
  }
  if (!answer.ok) {
    const places = (answer.errors ?? []).map(({ message, pointer }) => `${pointer}: ${message}`);
    throw new Complaint(`Slack refused ${method}: ${[answer.error, ...places].join('; ')}`);
  }
  return answer;
}

/** The manifest as Slack takes it, with the addresses of a deployed Gorkie. */
export function manifest(file, url) {
  const text = readFileSync(file, 'utf8');
  return JSON.parse(JSON.stringify(library('yaml').parse(text)).replaceAll(EXAMPLE, url.replace(/\/+$/, '')));
}

/** The same before there is any address: an app that may do all it will do, and hears of nothing yet. */
export function manifestWithoutAddresses(file) {
  const whole = manifest(file, EXAMPLE);
  delete whole.features.slash_commands;
  delete whole.features.shortcuts;
  delete whole.oauth_config.redirect_urls;
  delete whole.settings.event_subscriptions;
  delete whole.settings.interactivity;
  return whole;
}

export function fingerprint(manifest) {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 16);
}

/** Where a person makes the app who has no token for it. */
export function deepLink(manifest) {
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;
}

/** Makes the app; gives back its id and what it proves itself with. */
export async function createApp(api, token, manifest) {
  const made = await call(api, 'apps.manifest.create', token, { manifest: JSON.stringify(manifest) });
  return { id: made.app_id, ...made.credentials };
}

/** Changes the app; gives back whether it asks for other rights now, which somebody has to agree to. */
export async function updateApp(api, token, id, manifest) {
  const { permissions_updated: asksForOthers } = await call(api, 'apps.manifest.update', token, { app_id: id, manifest: JSON.stringify(manifest) });
  return Boolean(asksForOthers);
}

/**
 * Writes to somebody that Gorkie was deployed, brings Gorkie this person's question as Slack would, and waits for the answer
 * under it. So the whole way is tried, and nobody has to be there.
 */
export async function tryOut({ api, botToken, signingSecret, app, user, url, release, asksFirst }) {
  const { team_id: team, user_id: bot } = await call(api, 'auth.test', botToken, {});
  const { question, answer } = exercise(asksFirst);
  const { channel, ts } = await call(api, 'chat.postMessage', botToken, {
    channel: user,
    text: `I was deployed, release ${release}, and try myself in your name:\n${question}`,
    unfurl_links: 'false',
    unfurl_media: 'false',
  });
  await deliver(url, signingSecret, {
    type: 'event_callback',
    team_id: team,
    api_app_id: app,
    event_id: `Ev${randomBytes(8).toString('hex')}`,
    event_time: Math.floor(Date.now() / 1000),
    authorizations: [{ team_id: team, user_id: bot, is_bot: true, is_enterprise_install: false }],
    event: { type: 'message', channel_type: 'im', channel, user, ts, event_ts: ts, text: question },
  });
  const began = Date.now();
  let said = [];
  while (Date.now() - began < ANSWER_MS_MAX) {
    await sleep(LOOK_MS);
    const { messages } = await call(api, 'conversations.replies', botToken, { channel, ts, limit: '15' });
    said = messages.filter((message) => message.ts !== ts);
    if (said.some((message) => JSON.stringify(message).includes(answer))) {
      return Math.round((Date.now() - began) / 1000);
    }
  }
  throw new Complaint(
    `The test message was not answered within ${ANSWER_MS_MAX / 60_000} minutes. ` +
      (said.length > 0 ? `What came: “${said.at(-1).text}”` : 'Nothing came; the log of the worker says why.'),
  );
}

/** Something whose answer does not stand in the question; with a command in the sandbox, unless somebody had to allow that. */
function exercise(asksFirst) {
  const [a, b] = [randomInt(1_000, 4_999), randomInt(1_000, 4_999)];
  return asksFirst
    ? { question: `Use no tool, and answer with the digits of this sum alone: ${a} + ${b}`, answer: String(a + b) }
    : { question: `Run this and answer with what it prints:\n$ echo ready-$((${a} + ${b}))`, answer: `ready-${a + b}` };
}

async function deliver(url, signingSecret, envelope) {
  const body = JSON.stringify(envelope);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  let response;
  try {
    response = await fetch(new URL('/slack/events', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` },
      body,
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
  } catch (error) {
    throw new Complaint(`Gorkie does not answer at ${url}: ${error.cause?.message || error.message}`);
  }
  if (!response.ok) {
    throw new Complaint(
      `Gorkie answered the test message with ${response.status}: ${(await response.text()).slice(0, 300)}` +
        (response.status === 401 ? ' SLACK_SIGNING_SECRET is another one than the functions have.' : ''),
    );
  }
}
