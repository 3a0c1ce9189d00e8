// What was said in a channel or a thread, one message below the other, and what can be done with each.

import { act } from './api.js'
import { blocks, inMessage } from './blocks.js'
import { composer } from './composer.js'
import { h } from './dom.js'
import { emoji, emojiNames } from './emoji.js'
import { files } from './files.js'
import { avatar, icon } from './icons.js'
import { mrkdwn } from './mrkdwn.js'
import { go, permalink } from './place.js'
import { bot, changed, key, person, readUpTo, state, thread, visible } from './state.js'
import { ago, dayKey, dayName, exactly, time } from './time.js'

// As Slack does it: what somebody says within these minutes stands under one name.
const TOGETHER_SECONDS = 300
const SHOWN_AT_ONCE = 150
const QUICK = ['white_check_mark', 'eyes', 'raised_hands']

// place → how many are shown of a long channel
const shown = new Map()

/** Messages with the days between them, and a line where the new ones begin. */
export function list(place, messages, inThread, news) {
  const most = shown.get(place) ?? SHOWN_AT_ONCE
  const some = messages.slice(-most)
  const out = []
  if (messages.length > some.length) {
    out.push(h('li', { key: 'earlier', class: 'earlier' }, h('button', { type: 'button', class: 'button', onclick: () => more(place, most) }, `Show ${Math.min(SHOWN_AT_ONCE, messages.length - some.length)} earlier messages`)))
  }
  // Below the line of a thread a name is needed again.
  const answered = new Set(inThread || !some.length ? [] : visible(some[0].channel).map((one) => one.thread !== one.ts && one.thread))
  let before = null
  let lineDrawn = false
  for (const one of some) {
    if (!inThread && (before === null || dayKey(before.ts) !== dayKey(one.ts))) {
      out.push(h('li', { key: `day ${dayKey(one.ts)}`, class: 'day' }, h('span', null, dayName(one.ts))))
      before = null
    }
    if (!lineDrawn && news.from && one.ts > news.from && one.ts <= news.to && one.user !== state.me) {
      lineDrawn = true
      out.push(h('li', { key: 'new', class: 'day new' }, h('span', null, 'New')))
      before = null
    }
    const isRoot = inThread && one.ts === one.thread
    out.push(row(one, inThread, continues(before, one, answered)))
    if (isRoot) {
      const replies = messages.length - 1
      out.push(h('li', { key: 'replies', class: 'day replies' }, h('span', null, replies === 0 ? 'No replies yet' : count(replies, 'reply', 'replies'))))
    }
    before = isRoot ? null : one
  }
  return out
}

function more(place, most) {
  shown.set(place, most + SHOWN_AT_ONCE)
  changed()
}

function continues(before, one, answered) {
  return (
    before !== null && before.user === one.user && !before.tombstone && !one.tombstone && before.only_for === one.only_for && Number(one.ts) - Number(before.ts) < TOGETHER_SECONDS && !answered.has(before.ts)
  )
}

export function count(number, one, many) {
  return `${number} ${number === 1 ? one : many}`
}

function row(message, inThread, together) {
  const author = person(message.user)
  const pointed = state.place.message === message.ts
  const mine = message.user === state.me
  return h(
    'li',
    { key: message.ts },
    h(
      'article',
      {
        class: `message${together ? ' together' : ''}${pointed ? ' pointed' : ''}${message.only_for ? ' private' : ''}${message.text.includes(`<@${state.me}>`) ? ' to-me' : ''}`,
        tabindex: 0,
        'data-ts': message.ts,
        'data-channel': message.channel,
        'aria-label': `${author.real_name}, ${time(message.ts)}`,
        onkeydown: (event) => pressed(event, message, inThread, mine),
      },
      h('div', { class: 'side' }, together ? h('time', { title: exactly(message.ts) }, time(message.ts)) : avatar(author)),
      h(
        'div',
        { class: 'body' },
        message.only_for ? h('p', { class: 'note' }, icon('lock'), 'Only visible to you') : null,
        together
          ? null
          : h(
              'div',
              { class: 'head' },
              h('strong', null, author.real_name),
              author.bot ? h('span', { class: 'badge' }, 'APP') : null,
              h('a', { href: permalink(message), title: exactly(message.ts), class: 'time' }, h('time', null, time(message.ts))),
            ),
        state.editing === key(message.channel, message.ts) ? composer({ place: `edit ${message.ts}`, channel: message.channel, edit: message }) : content(message),
        reactions(message),
        inThread ? null : threadLine(message),
      ),
      message.tombstone || state.editing ? null : toolbar(message, inThread, mine),
    ),
  )
}

function content(message) {
  if (message.tombstone) {
    return h('p', { class: 'details' }, 'This message was deleted.')
  }
  const edited = message.edited ? h('span', { class: 'edited' }, ' (edited)') : null
  // What a person typed is kept by Slack as blocks too; the text says the same, with its marks.
  const words = person(message.user).bot && message.blocks.length > 0 ? blocks(message.blocks, inMessage(message)) : message.text ? h('div', { class: 'text' }, mrkdwn(message.text), edited) : null
  const writing = message.streaming ? h('span', { class: 'writing', role: 'status', 'aria-label': 'Still being written' }) : null
  return h('div', { class: 'content' }, words, words?.props?.class === 'text' ? null : edited, writing, files(message))
}

function reactions(message) {
  if (message.reactions.length === 0) {
    return null
  }
  return h(
    'div',
    { class: 'reactions' },
    message.reactions.map(({ name, users }) => {
      const own = users.includes(state.me)
      const names = users.map((id) => (id === state.me ? 'you' : person(id).real_name)).join(', ')
      return h(
        'button',
        { key: name, type: 'button', class: 'reaction', 'aria-pressed': String(own), 'aria-label': `${name.replaceAll('_', ' ')}, ${names}`, title: `${names} reacted with :${name}:`, onclick: () => react(message, name) },
        h('span', { class: 'emoji' }, emoji(name)),
        h('span', null, users.length),
      )
    }),
    h('button', { type: 'button', class: 'reaction add', 'aria-label': 'Add a reaction', onclick: (event) => open('emoji', message, event) }, icon('smile')),
  )
}

export function react(message, name) {
  const own = message.reactions.some((one) => one.name === name && one.users.includes(state.me))
  return act(own ? 'unreact' : 'react', { channel: message.channel, ts: message.ts, user: state.me, emoji: name })
}

function threadLine(message) {
  const replies = visible(message.channel).filter((one) => one.thread === message.ts && one.ts !== message.ts)
  const working = thread(message.channel, message.ts).session === 'processing'
  if (replies.length === 0 && !working) {
    return null
  }
  const last = replies.at(-1)
  const unread = replies.filter((one) => one.user !== state.me && one.ts > readUpTo(key(message.channel, message.ts))).length
  return h(
    'a',
    { class: 'thread', href: permalink(message, true) },
    h('span', { class: 'faces' }, [...new Set(replies.map((one) => one.user))].slice(0, 4).map((id) => avatar(person(id), 'small'))),
    replies.length ? h('strong', null, count(replies.length, 'reply', 'replies')) : null,
    unread ? h('span', { class: 'badge unread' }, `${unread} new`) : null,
    working ? h('span', { class: 'working' }, h('span', { class: 'spinner' }), `${bot()?.real_name ?? 'The app'} is working`) : last ? h('span', { class: 'details' }, `Last reply ${ago(last.ts)}`) : null,
  )
}

function toolbar(message, inThread, mine) {
  return h(
    'div',
    { class: 'toolbar', role: 'group', 'aria-label': 'Message actions' },
    QUICK.map((name) => h('button', { key: name, type: 'button', tabindex: -1, 'aria-label': `React with ${name.replaceAll('_', ' ')}`, title: `:${name}:`, onclick: () => react(message, name) }, h('span', { class: 'emoji' }, emoji(name)))),
    h('button', { type: 'button', tabindex: -1, 'aria-label': 'Add a reaction', title: 'Add a reaction', onclick: (event) => open('emoji', message, event) }, icon('smile')),
    inThread ? null : h('button', { type: 'button', tabindex: -1, 'aria-label': 'Reply in thread', title: 'Reply in thread', onclick: () => reply(message) }, icon('reply')),
    h('button', { type: 'button', tabindex: -1, 'aria-label': 'More actions', title: 'More actions', 'aria-haspopup': 'menu', onclick: (event) => open('message', message, event, mine) }, icon('more')),
  )
}

function reply(message) {
  go({ channel: message.channel, thread: message.thread, focus: true })
}

function open(kind, message, event, mine) {
  const at = event.currentTarget.getBoundingClientRect()
  state.over = { kind, message, mine, x: at.right, y: at.bottom, from: event.currentTarget }
  changed()
}

// A message has the focus: letters do what its buttons do.
function pressed(event, message, inThread, mine) {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
    return
  }
  const all = [...event.currentTarget.closest('ol').querySelectorAll('article')]
  const at = all.indexOf(event.currentTarget)
  const from = { currentTarget: event.currentTarget }
  const doing = {
    ArrowDown: () => all[at + 1]?.focus(),
    ArrowUp: () => all[at - 1]?.focus(),
    Home: () => all[0].focus(),
    End: () => all.at(-1).focus(),
    Enter: () => (inThread ? undefined : reply(message)),
    t: () => (inThread ? undefined : reply(message)),
    r: () => open('emoji', message, from),
    m: () => open('message', message, from, mine),
    e: () => (mine ? edit(message) : undefined),
    Delete: () => (mine ? remove(message) : undefined),
  }[event.key]
  if (doing && !message.tombstone) {
    event.preventDefault()
    doing()
  }
}

export function edit(message) {
  state.drafts.set(`edit ${message.ts}`, { text: typed(message.text), files: [] })
  state.editing = key(message.channel, message.ts)
  changed()
}

/** A message as its author typed it. */
export function typed(text) {
  return text
    .replace(/<@([UW][A-Z0-9]+)>/g, (_, id) => `@${person(id).name}`)
    .replace(/<#(C[A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id) => `#${state.channels.get(id)?.name ?? id}`)
    .replace(/<!(here|channel|everyone)>/g, '@$1')
    .replace(/<(https?:[^>|]+)>/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}

export function remove(message) {
  state.over = {
    kind: 'confirm',
    title: 'Delete message',
    text: 'Are you sure you want to delete this message? This cannot be undone.',
    yes: 'Delete',
    no: 'Cancel',
    danger: true,
    resolve: (yes) => yes && act('delete', { channel: message.channel, ts: message.ts }),
  }
  changed()
}

/** What may be chosen for a reaction. */
export function picker(message, close) {
  return h(
    'div',
    { class: 'picker', role: 'group', 'aria-label': 'Emoji' },
    emojiNames.map((name, at) =>
      h(
        'button',
        {
          key: name,
          type: 'button',
          autofocus: at === 0,
          'aria-label': name.replaceAll('_', ' '),
          title: `:${name}:`,
          onclick: () => {
            react(message, name)
            close()
          },
        },
        h('span', { class: 'emoji' }, emoji(name)),
      ),
    ),
  )
}
