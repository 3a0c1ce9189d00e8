// All the page knows: what the workspace told it, who looks at it and where, and what is open on the screen.

import { base } from './base.js'

export const state = {
  connected: false,
  loaded: false,
  // What the workspace is called, and what the app offers in it.
  name: '',
  offers: { commands: [], shortcuts: [], prompts: [] },
  people: new Map(),
  channels: new Map(),
  // channel → ts → message
  messages: new Map(),
  // channel:ts → what the app shows of itself there
  threads: new Map(),
  // person → the blocks of the app's page
  homes: new Map(),
  me: '',
  place: { channel: '', thread: '', message: '', tab: '' },
  // What is open above the rest: a menu, a dialog, the drawer of a narrow screen.
  over: null,
  // A channel that was asked for and is not known yet.
  going: '',
  drawer: false,
  // place → what is being written there
  drafts: new Map(),
  // What was said and is not in the workspace yet.
  leaving: [],
  held: [],
  editing: '',
  // What somebody is just using, and what stands in menus and fields, by the place of their blocks.
  using: new Set(),
  given: new Map(),
  folded: new Map(),
  said: '',
}

// Another workspace's messages may have the same ids.
const KEPT = `gorkie${base}`

const kept = load()

/** What a person chose stays chosen in this browser. */
export const settings = {
  get theme() {
    return kept.theme ?? 'system'
  },
  set theme(theme) {
    kept.theme = theme
    keep()
  },
  get person() {
    return kept.person ?? ''
  },
  set person(person) {
    kept.person = person
    keep()
  },
  get curtain() {
    return kept.curtain ?? false
  },
  set curtain(open) {
    kept.curtain = open
    keep()
  },
  get tourBegun() {
    return kept.tourBegun ?? {}
  },
  set tourBegun(begun) {
    kept.tourBegun = begun
    keep()
  },
  get tour() {
    return kept.tour ?? 'open'
  },
  set tour(tour) {
    kept.tour = tour
    keep()
  },
}

/** Up to which message somebody has read in a channel or a thread. */
export function readUpTo(place) {
  return kept.read?.[`${state.me} ${place}`] ?? ''
}

export function markRead(place, ts) {
  if (ts > readUpTo(place)) {
    kept.read = { ...kept.read, [`${state.me} ${place}`]: ts }
    keep()
    changed()
  }
}

// A browser that keeps nothing for a page is no reason not to draw it.
function load() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}')
  } catch {
    return {}
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept))
  } catch {
    // Then it is forgotten with the page.
  }
}

let drawing = () => {}
let due = 0

// A window that nobody sees gets no frames, and its title shall still say what is new.
const WITHOUT_A_FRAME_MS = 150

export function onChange(draw) {
  drawing = draw
}

/** Draws with the next frame, or soon where there is none. */
export function changed() {
  if (due) {
    return
  }
  const now = () => {
    clearTimeout(due)
    cancelAnimationFrame(frame)
    due = 0
    drawing()
  }
  due = setTimeout(now, WITHOUT_A_FRAME_MS)
  const frame = requestAnimationFrame(now)
}

export const key = (channel, ts) => `${channel}:${ts}`

export function person(id) {
  return state.people.get(id) ?? { id, name: id, real_name: id, bot: false }
}

export function bot() {
  return [...state.people.values()].find((one) => one.bot)
}

/** The channels somebody is in; of direct messages his own. */
export function myChannels() {
  return [...state.channels.values()].filter((one) => one.members.includes(state.me))
}

/** What a person sees of a channel, the oldest first. */
export function visible(channel) {
  const all = state.messages.get(channel) ?? new Map()
  return [...all.values()].filter((one) => !one.only_for || one.only_for === state.me).sort((a, b) => (a.ts < b.ts ? -1 : 1))
}

export function message(channel, ts) {
  return state.messages.get(channel)?.get(ts)
}

export function thread(channel, ts) {
  return state.threads.get(key(channel, ts)) ?? {}
}

/** Takes in what the workspace says: all of it, or what is new. */
export function takeIn(news) {
  if (news.all) {
    state.messages.clear()
    state.threads.clear()
    state.homes.clear()
    state.name = news.name
    state.offers = news.offers
    state.people = new Map(news.people.map((one) => [one.id, one]))
    state.loaded = true
  }
  for (const one of news.people ?? []) {
    state.people.set(one.id, one)
  }
  if (news.channels) {
    state.channels = new Map(news.channels.map((one) => [one.id, one]))
  }
  for (const one of news.messages ?? []) {
    if (!state.messages.has(one.channel)) {
      state.messages.set(one.channel, new Map())
    }
    state.messages.get(one.channel).set(one.ts, one)
  }
  for (const { channel, ts } of news.gone ?? []) {
    state.messages.get(channel)?.delete(ts)
  }
  for (const one of news.threads ?? []) {
    state.threads.set(key(one.channel, one.ts), one)
  }
  for (const { user, blocks } of news.homes ?? []) {
    state.homes.set(user, blocks)
  }
  if (!state.people.has(state.me) || state.people.get(state.me).bot) {
    const chosen = [...state.people.values()].find((one) => !one.bot && one.name === settings.person)
    state.me = (chosen ?? [...state.people.values()].find((one) => !one.bot)).id
  }
  changed()
}
