// Where one is: a channel, a thread in it, a message in that. Addresses are Slack's own, so that one can be pasted.

import { base } from './base.js'
import { changed, state } from './state.js'

/** The address of a message; of the thread that begins with it, when that is meant. */
export function permalink(message, asThread = false) {
  const channel = `${base}/archives/${message.channel}`
  if (asThread) {
    return `${channel}/p${digits(message.ts)}?thread_ts=${message.ts}`
  }
  const inThread = message.thread === message.ts ? '' : `?thread_ts=${message.thread}`
  return `${channel}/p${digits(message.ts)}${inThread}`
}

const digits = (ts) => ts.replace('.', '')

function address({ channel, thread, message, tab }) {
  if (!channel) {
    return `${base}/`
  }
  const at = message || thread
  return `${base}/archives/${channel}${at ? `/p${digits(at)}` : ''}${thread ? `?thread_ts=${thread}` : tab ? `?tab=${tab}` : ''}`
}

/** Reads the address the browser stands at. */
export function readAddress() {
  const found = /^\/archives\/([A-Z0-9]+)(?:\/p(\d{10})(\d{6}))?$/.exec(location.pathname.slice(base.length))
  const asked = new URLSearchParams(location.search)
  const root = asked.get('thread_ts') ?? ''
  const thread = /^\d{10}\.\d{6}$/.test(root) ? root : ''
  const message = found?.[2] ? `${found[2]}.${found[3]}` : ''
  state.place = { channel: found?.[1] ?? '', thread, message: message === thread ? '' : message, tab: asked.get('tab') === 'home' ? 'home' : '', entered: Date.now() }
  state.editing = ''
  changed()
}

export function go({ channel, thread = '', message = '', tab = '', focus = false }, replace = false) {
  const next = address({ channel, thread, message, tab })
  if (next !== location.pathname + location.search) {
    history[replace ? 'replaceState' : 'pushState'](null, '', next)
  }
  readAddress()
  state.place.focus = focus
  state.drawer = false
}

/** Links inside the page lead there without loading it again. */
export function followLinks() {
  addEventListener('popstate', readAddress)
  document.addEventListener('click', (event) => {
    const target = event.target.closest?.(`a[href^="${base}/archives/"]`)
    if (target && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      history.pushState(null, '', target.getAttribute('href'))
      readAddress()
      state.drawer = false
    }
  })
}
