// The page: a workspace as Slack shows it. Everything is drawn from `state`; this puts the parts in their places.

import { act, listen } from './api.js'
import { base } from './base.js'
import { composer, fit, speak } from './composer.js'
import { curtain, stopLooking } from './curtain.js'
import { draw, h } from './dom.js'
import { home, tabs } from './home.js'
import { avatar, icon } from './icons.js'
import { count, list } from './messages.js'
import { over } from './over.js'
import { followLinks, go, readAddress } from './place.js'
import { bot, changed, key, markRead, message, myChannels, onChange, person, readUpTo, settings, state, thread, visible } from './state.js'
import { tour } from './tour.js'

const host = document.getElementById('page')

// How near its end a list must be to stay at it.
const NEAR_END_PX = 60

// place → up to where it was read when one came in, and what there was then: that stays marked as new until one comes
// again. What is said before one's eyes is not new.
const cameIn = new Map()

function page() {
  if (!state.loaded) {
    return h('div', { class: 'waiting', role: 'status' }, h('span', { class: 'spinner' }), 'Connecting to the local workspace…')
  }
  stayInAPlace()
  const { channel, thread: root } = state.place
  return [
    h('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to the messages'),
    topBar(),
    h(
      'div',
      { class: `frame${root ? ' with-thread' : ''}${settings.curtain ? ' with-curtain' : ''}${state.drawer ? ' with-drawer' : ''}` },
      sidebar(),
      h('button', { type: 'button', class: 'shade', 'aria-label': 'Close the list of channels', tabindex: -1, onclick: () => turnDrawer(false) }),
      h('main', { id: 'main', class: 'pane channel', 'aria-label': name(channel), tabindex: -1 }, channelPane(channel)),
      root ? h('aside', { class: 'pane thread', 'aria-label': 'Thread' }, threadPane(channel, root)) : null,
      settings.curtain ? curtain() : null,
    ),
    over(),
    h('div', { class: `said${state.said ? ' shown' : ''}`, role: 'status' }, state.said ? [h('span', null, state.said), h('button', { type: 'button', 'aria-label': 'Close', onclick: () => ((state.said = ''), changed()) }, icon('close'))] : null),
  ]
}

function skip(event) {
  event.preventDefault()
  document.getElementById('main').focus()
}

/** One is always somewhere one may be. */
function stayInAPlace() {
  const mine = myChannels()
  if (mine.some((one) => one.id === state.going)) {
    go({ channel: state.going, tab: state.place.tab })
    state.going = ''
  }
  if (!mine.some((one) => one.id === state.place.channel)) {
    const wanted = state.channels.get(state.place.channel)
    // Somebody else's direct messages become one's own, so that changing who one is keeps the place.
    const home = (wanted?.direct && mine.find((one) => one.direct)) || mine.find((one) => one.name === 'general') || mine[0]
    if (home) {
      go({ channel: home.id, tab: home.direct ? state.place.tab : '' }, true)
    }
  }
}

function name(id) {
  const channel = state.channels.get(id)
  if (!channel) {
    return ''
  }
  return channel.direct ? (bot()?.real_name ?? '') : channel.name
}

function topBar() {
  return h(
    'header',
    { class: 'top' },
    h('button', { type: 'button', class: 'tool only-narrow', 'aria-label': 'Channels', 'aria-expanded': String(state.drawer), onclick: () => turnDrawer(!state.drawer) }, icon('menu')),
    h('span', { class: 'brand' }, h('img', { src: '/page/gorkie.svg', alt: '' }), h('span', null, `${state.name} workspace`)),
    h('button', { type: 'button', class: 'jump', 'aria-label': 'Jump to a channel', onclick: () => open('switcher') }, icon('search'), h('span', null, 'Jump to…'), h('kbd', null, 'Ctrl K')),
    h('span', { class: 'grow' }),
    state.connected ? null : h('span', { class: 'badge warn', role: 'status' }, 'Reconnecting…'),
    h('button', { type: 'button', class: `tool wide${settings.curtain ? ' on' : ''}`, 'aria-pressed': String(settings.curtain), 'aria-label': 'Behind the curtain', title: 'Behind the curtain (Ctrl B)', onclick: turnCurtain }, icon('curtain'), h('span', null, 'Behind the curtain')),
    h('button', { type: 'button', class: 'tool', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts (?)', onclick: () => open('keys') }, icon('keyboard')),
    h('button', { type: 'button', class: 'tool', 'aria-label': `Colours: ${settings.theme}`, title: `Colours: ${settings.theme}`, onclick: turnTheme }, icon(isDark() ? 'moon' : 'sun')),
  )
}

function open(kind) {
  state.over = { kind, from: document.activeElement }
  changed()
}

function turnDrawer(open) {
  state.drawer = open
  changed()
}

export function turnCurtain() {
  settings.curtain = !settings.curtain
  changed()
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => settings.theme === 'dark' || (settings.theme === 'system' && dark.matches)

function turnTheme() {
  settings.theme = { system: dark.matches ? 'light' : 'dark', light: dark.matches ? 'system' : 'dark', dark: dark.matches ? 'light' : 'system' }[settings.theme]
  changed()
}

function sidebar() {
  const mine = myChannels()
  return h(
    'nav',
    { class: 'sidebar', 'aria-label': 'Channels' },
    h(
      'div',
      { class: 'who' },
      avatar(person(state.me)),
      h(
        'label',
        null,
        h('span', null, 'You speak as'),
        h(
          'select',
          { value: state.me, onchange: (event) => speakAs(event.target.value) },
          [...state.people.values()].filter((one) => !one.bot).map((one) => h('option', { value: one.id }, one.real_name)),
        ),
      ),
    ),
    h('h2', null, 'Channels'),
    h('ul', null, mine.filter((one) => !one.direct).map(channelLine)),
    h('h2', null, 'Direct messages'),
    h('ul', null, mine.filter((one) => one.direct).map(channelLine), mine.some((one) => one.direct) ? null : h('li', null, h('button', { type: 'button', class: 'place', onclick: openDirect }, avatar(bot(), 'small'), h('span', { class: 'words' }, bot()?.real_name)))),
    h('span', { class: 'grow' }),
    tour(),
  )
}

function speakAs(id) {
  const isDirect = state.channels.get(state.place.channel)?.direct
  state.me = id
  settings.person = person(id).name
  if (isDirect && !myChannels().some((one) => one.direct)) {
    openDirect()
  } else {
    changed()
  }
}

async function openDirect() {
  const { channel } = (await act('open', { user: state.me })) ?? {}
  if (channel) {
    // The feed tells of it as well; whichever comes first, one goes there.
    state.going = channel
    changed()
  }
}

function channelLine(channel) {
  const all = visible(channel.id).filter((one) => one.user !== state.me)
  const unread = all.filter((one) => (one.thread === one.ts ? one.ts > readUpTo(channel.id) : one.ts > readUpTo(key(channel.id, one.thread)) && takesPart(channel.id, one.thread)))
  const loud = channel.direct ? unread.length : unread.filter((one) => one.text.includes(`<@${state.me}>`)).length
  const here = channel.id === state.place.channel
  return h(
    'li',
    { key: channel.id },
    h(
      'a',
      { class: `place${unread.length ? ' unread' : ''}${here ? ' here' : ''}`, href: `${base}/archives/${channel.id}`, 'aria-current': here ? 'page' : undefined },
      channel.direct ? avatar(bot(), 'small') : icon(channel.private ? 'lock' : 'hash'),
      h('span', { class: 'words' }, name(channel.id)),
      unread.length ? h('span', { class: loud ? 'badge unread' : 'dot', 'aria-label': count(loud || unread.length, 'unread message', 'unread messages') }, loud || '') : null,
    ),
  )
}

function takesPart(channel, root) {
  return visible(channel).some((one) => one.thread === root && one.user === state.me)
}

function channelPane(id) {
  const channel = state.channels.get(id)
  if (!channel) {
    return null
  }
  return [
    h(
      'div',
      { class: 'pane-head' },
      h('h1', null, channel.direct ? avatar(bot(), 'small') : icon(channel.private ? 'lock' : 'hash'), h('span', null, name(id))),
      channel.direct ? h('span', { class: 'badge' }, 'APP') : h('span', { class: 'details' }, count(channel.members.length, 'member', 'members')),
    ),
    channel.direct ? tabs(id) : null,
    channel.direct && state.place.tab === 'home' ? home() : messages(id, channel),
  ]
}

function messages(id, channel) {
  const roots = visible(id).filter((one) => one.thread === one.ts || !message(id, one.thread))
  const place = `channel ${id}`
  return [
    h(
      'div',
      { class: 'scroll', key: place, 'data-place': place, tabindex: -1 },
      roots.length === 0 ? welcome(channel) : null,
      h('ol', { class: 'list', 'aria-label': `Messages in ${name(id)}` }, list(place, roots, false, newFrom(id)), leaving(id, '')),
    ),
    h('div', { class: 'foot' }, held(id), prompts(channel, roots.length === 0), composer({ place, channel: id, thread: '', placeholder: `Message ${channel.direct ? '' : '#'}${name(id)}` })),
  ]
}

function welcome(channel) {
  const who = bot()?.real_name
  return h(
    'div',
    { class: 'welcome' },
    h('h2', null, channel.direct ? `This is between you and ${who}` : `This is the beginning of #${channel.name}`),
    h('p', null, channel.direct ? `Whatever you write here ${who} answers, in a thread, with a computer of its own.` : ['Mention ', h('span', { class: 'mention' }, `@${bot()?.name}`), ' and it answers in a thread, with a computer of its own. Slack and Daytona are stand-ins on this machine.']),
    h('p', { class: 'only-narrow' }, h('button', { type: 'button', class: 'button', onclick: () => ((settings.tour = 'open'), turnDrawer(true)) }, icon('flag'), 'Take the tour')),
  )
}

/** What the app suggests to begin with: its manifest where nothing was said yet, else what it has set since. */
function prompts(channel, isEmpty) {
  const since = thread(channel.id, '').prompts ?? []
  const some = since.length ? since : channel.direct && isEmpty ? state.offers.prompts : []
  return some.length ? h('div', { class: 'prompts' }, some.map((one) => h('button', { type: 'button', class: 'button', onclick: () => speak({ channel: channel.id, text: one.message }) }, one.title))) : null
}

function held(channel) {
  const some = state.held.filter((one) => one.channel === channel)
  return some.length
    ? h(
        'div',
        { class: 'held', role: 'status' },
        h('span', null, `${count(some.length, 'message is', 'messages are')} kept back from Gorkie.`),
        h('button', { type: 'button', class: 'button', onclick: () => release(some) }, 'Deliver in order'),
        some.length > 1 ? h('button', { type: 'button', class: 'button', onclick: () => release([...some].reverse()) }, 'Deliver the newest first') : null,
      )
    : null
}

function release(some) {
  state.held = state.held.filter((one) => !some.includes(one))
  changed()
  return act('release', { ts: some.map((one) => one.ts) })
}

function newFrom(place) {
  const seen = `${state.me} ${place} ${state.place.entered}`
  if (!cameIn.has(seen)) {
    const all = state.messages.get(place.split(':')[0]) ?? new Map()
    cameIn.set(seen, { from: readUpTo(place), to: [...all.keys()].sort().at(-1) ?? '' })
  }
  return cameIn.get(seen)
}

function leaving(channel, root) {
  return state.leaving
    .filter((one) => one.channel === channel && one.thread === root)
    .map((one) => h('li', { key: `leaving ${one.id}` }, h('div', { class: 'message leaving' }, h('div', { class: 'side' }, avatar(person(one.user))), h('div', { class: 'body' }, h('div', { class: 'head' }, h('strong', null, person(one.user).real_name), h('span', { class: 'details' }, 'Waiting for Gorkie to listen…')), h('div', { class: 'text' }, one.text)))))
}

function threadPane(channel, root) {
  const all = visible(channel).filter((one) => one.thread === root)
  const place = `thread ${channel} ${root}`
  const shown = thread(channel, root)
  const close = () => go({ channel })
  return [
    h(
      'div',
      { class: 'pane-head' },
      h('button', { type: 'button', class: 'tool only-narrow', 'aria-label': 'Back to the channel', onclick: close }, icon('back')),
      h('h1', null, h('span', null, shown.title || 'Thread')),
      h('span', { class: 'details' }, `${state.channels.get(channel)?.direct ? '' : '#'}${name(channel)}`),
      session(shown),
      h('span', { class: 'grow' }),
      h('button', { type: 'button', class: 'tool not-narrow', 'aria-label': 'Close the thread', title: 'Close (Esc)', onclick: close }, icon('close')),
    ),
    h(
      'div',
      { class: 'scroll', key: place, 'data-place': place, tabindex: -1 },
      all.length === 0 ? h('div', { class: 'welcome' }, h('h2', null, 'This thread is not here'), h('p', null, 'The local workspace forgets what was said when it is started again.')) : null,
      h('ol', { class: 'list', 'aria-label': 'Messages in the thread' }, list(place, all, true, newFrom(key(channel, root))), leaving(channel, root)),
    ),
    h('div', { class: 'foot' }, working(channel, root, shown), held(channel), composer({ place, channel, thread: root, placeholder: 'Reply…' })),
  ]
}

function session({ session: state_ }) {
  const words = { processing: 'Working', suspended: 'Waits for you', closed: 'Closed' }[state_]
  return words ? h('span', { class: `badge session ${state_}` }, words) : null
}

/** Slack's own sign that an agent is at work, and its own way to stop it. */
function working(channel, root, shown) {
  const words = shown.session === 'processing' ? 'is working…' : shown.status
  if (!words) {
    return null
  }
  return h(
    'div',
    { class: 'at-work', role: 'status' },
    avatar(bot(), 'small'),
    h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    h('span', null, `${bot()?.real_name} ${words}`),
    shown.session === 'processing' ? h('button', { type: 'button', class: 'button', onclick: () => act('stop', { channel, thread_ts: root, user: state.me }) }, icon('stop'), 'Stop') : null,
  )
}

function drawAll() {
  const ends = new Map()
  for (const node of host.querySelectorAll('.scroll[data-place]')) {
    ends.set(node.dataset.place, node.scrollHeight - node.scrollTop - node.clientHeight < NEAR_END_PX)
  }
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  draw(host, page())
  host.querySelectorAll('textarea').forEach(fit)
  for (const node of host.querySelectorAll('.scroll[data-place]')) {
    if (!pointAt(node) && (ends.get(node.dataset.place) ?? true)) {
      node.scrollTop = node.scrollHeight
    }
  }
  if (state.place.focus) {
    state.place.focus = false
    host.querySelector('.thread textarea, .channel textarea')?.focus()
  }
  stopLooking()
  sayWhatIsNew()
  read()
}

/** A message one was led to is brought into view, once. */
function pointAt(list) {
  const target = state.place.message && list.querySelector(`[data-ts="${state.place.message}"]`)
  if (!target || state.place.pointed === list.dataset.place) {
    return false
  }
  state.place.pointed = list.dataset.place
  target.scrollIntoView({ block: 'center' })
  return true
}

function sayWhatIsNew() {
  const unread = host.querySelectorAll('.sidebar .unread .badge, .sidebar .unread .dot').length
  const { channel } = state.place
  document.title = `${unread ? '* ' : ''}${name(channel) ? `${name(channel)} · ` : ''}Gorkie`
}

/** What is in front of somebody's eyes counts as read. */
function read() {
  const { channel, thread: root } = state.place
  if ((!document.hasFocus() && document.visibilityState !== 'visible') || state.place.tab) {
    return
  }
  const all = visible(channel)
  const last = all.filter((one) => one.thread === one.ts).at(-1)
  if (last) {
    markRead(channel, last.ts)
  }
  const reply = root && all.filter((one) => one.thread === root).at(-1)
  if (reply) {
    markRead(key(channel, root), reply.ts)
  }
}

document.addEventListener('keydown', (event) => {
  const writing = event.target.closest?.('textarea, input, select')
  const control = event.ctrlKey || event.metaKey
  const doing = control
    ? { k: () => open('switcher'), b: turnCurtain }[event.key]
    : event.altKey
      ? { ArrowDown: () => step(1), ArrowUp: () => step(-1) }[event.key]
      : event.key === 'Escape' && !state.over
        ? closeThread
        : { '?': () => open('keys') }[writing ? '' : event.key]
  if (doing) {
    event.preventDefault()
    doing()
  }
})

function closeThread() {
  if (state.drawer) {
    turnDrawer(false)
  } else if (state.place.thread) {
    go({ channel: state.place.channel })
  }
}

function step(by) {
  const mine = myChannels()
  const at = mine.findIndex((one) => one.id === state.place.channel)
  go({ channel: mine[(at + by + mine.length) % mine.length].id })
}

onChange(drawAll)
dark.addEventListener('change', changed)
addEventListener('resize', changed)
addEventListener('focus', changed)
document.addEventListener('load', (event) => keepAtEnd(event.target), true)
followLinks()
readAddress()
listen()
changed()
// Whose words are old by then says so: “just now”, “a minute ago”.
setInterval(changed, 30_000)

/** A picture that has arrived makes its list longer; one that stood at its end stays there. */
function keepAtEnd(image) {
  const list = image.closest?.('.scroll')
  if (list && list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX + image.clientHeight) {
    list.scrollTop = list.scrollHeight
  }
}
