// What an operator's own commands share that speak to Daytona's API: who asks, and how a refusal reads.

const CALL_MS_MAX = 60_000;

/** The account that the environment names, and a way to call its API. `right`: what the key must be allowed to do. */
export function account(right) {
  const { DAYTONA_API_KEY: key, DAYTONA_API_URL: url, DAYTONA_TARGET: target } = process.env;
  if (!key) {
    stop(2, `DAYTONA_API_KEY is not set: it is the key of the Daytona organization, with the right ${right}.`);
  }
  if (url && !/^https?:\/\/[^/]/.test(url)) {
    stop(2, "DAYTONA_API_URL is not what it should be: the base URL of Daytona's API, such as https://app.daytona.io/api.");
  }
  const base = (url || 'https://app.daytona.io/api').replace(/\/+$/, '');
  return { target, call: (method, path, body) => ask(base, key, method, path, body) };
}

export function stop(code, sentence) {
  console.error(sentence);
  process.exit(code);
}

/** Null for what does not exist; 409 is another caller who makes the same. */
async function ask(url, key, method, path, body) {
  const { response, text } = await exchange(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_MS_MAX),
  });
  if (response.ok) {
    return text ? JSON.parse(text) : {};
  }
  if (response.status === 404 && method !== 'POST') {
    return null;
  }
  if (response.status === 409) {
    return {};
  }
  return stop(1, `Daytona refused ${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
}

async function exchange(url, request) {
  try {
    const response = await fetch(url, request);
    return { response, text: await response.text() };
  } catch (error) {
    return stop(1, `Daytona does not answer at ${url}: ${error.cause?.message || error.cause?.code || error.message}`);
  }
}
