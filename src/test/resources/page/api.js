// The way to the workspace: what people do goes there by calls, what happens comes by server-sent events.

import { base } from './base.js'
import { changed, state, takeIn } from './state.js'

/** What the workspace answers; throws with its own sentence when it refuses. */
export async function call(command, given = {}) {
  const answer = await fetch(`${base}/_local/${command}`, { method: 'POST', body: JSON.stringify(given) })
  if (!answer.ok) {
    throw new Error(await answer.text())
  }
  return answer.json()
}

/** The same where nothing is to be done with the answer: a refusal is shown. */
export function act(command, given) {
  return call(command, given).catch((refusal) => say(refusal.message))
}

/** Takes a file's bytes to the workspace, where they wait for the message they belong to. */
export async function attach(file, signal) {
  const answer = await fetch(`${base}/_local/attach`, { method: 'POST', body: file, signal })
  if (!answer.ok) {
    throw new Error(await answer.text())
  }
  return (await answer.json()).attached
}

const SAID_MS = 6_000
let silence = 0

/** One short sentence to whoever looks on. */
export function say(sentence) {
  state.said = sentence
  changed()
  clearTimeout(silence)
  silence = setTimeout(() => {
    state.said = ''
    changed()
  }, SAID_MS)
}

export const fileUrl = (file) => `${base}/_local/file?id=${encodeURIComponent(file.id)}`
export const downloadUrl = (file) => `${fileUrl(file)}&download=true`

/** Listens for as long as the page is open. The browser connects again by itself, and is told everything anew then. */
export function listen() {
  const feed = new EventSource(`${base}/_local/feed`)
  feed.onmessage = (event) => {
    state.connected = true
    takeIn(JSON.parse(event.data))
  }
  feed.onerror = () => {
    state.connected = false
    changed()
    // A server that answered with something else than events ends it for good.
    if (feed.readyState === EventSource.CLOSED) {
      setTimeout(listen, 2_000)
    }
  }
}
