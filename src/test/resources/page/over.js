// What lies above the page: menus, the picker of emoji, and dialogs. One at a time; Escape and a click beside it close it.

import { call, downloadUrl, fileUrl, say } from './api.js'
import { h } from './dom.js'
import { avatar, icon } from './icons.js'
import { edit, picker, remove, typed } from './messages.js'
import { go, permalink } from './place.js'
import { bot, changed, myChannels, person, state, visible } from './state.js'
import { time } from './time.js'

const MESSAGES_FOUND_MAX = 8
const FOUND_CHARACTERS_MAX = 90

export function over() {
  const one = state.over
  if (!one) {
    return null
  }
  switch (one.kind) {
    case 'emoji':
      return floating(one, picker(one.message, close))
    case 'message':
      return floating(one, menu(one))
    case 'confirm':
      return dialog(one.title, 'narrow', [
        h('p', null, one.text),
        h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'button', onclick: () => settle(false) }, one.no), h('button', { type: 'button', autofocus: true, class: `button ${one.danger ? 'danger' : 'primary'}`, onclick: () => settle(true) }, one.yes)),
      ])
    case 'picture':
      return dialog(one.file.title || one.file.name, 'picture', [h('img', { src: fileUrl(one.file), alt: one.file.title || one.file.name }), h('div', { class: 'buttons' }, h('a', { class: 'button', href: downloadUrl(one.file), download: one.file.name }, icon('download'), 'Download'))])
    case 'switcher':
      return dialog('Jump to', 'narrow', switcher(one))
    case 'keys':
      return dialog('Keyboard shortcuts', 'narrow', keys())
    default:
      return null
  }
}

export function close() {
  const { from } = state.over ?? {}
  state.over = null
  changed()
  from?.focus?.()
}

function settle(answer) {
  const { resolve } = state.over
  close()
  resolve(answer)
}

function dialog(title, size, inside) {
  return h(
    'dialog',
    {
      key: title,
      class: `dialog ${size}`,
      'aria-label': title,
      ref: (node) => requestAnimationFrame(() => node.isConnected && node.showModal()),
      oncancel: (event) => {
        event.preventDefault()
        state.over.resolve ? settle(false) : close()
      },
      onclick: (event) => (event.target === event.currentTarget ? (state.over.resolve ? settle(false) : close()) : undefined),
    },
    h('div', { class: 'dialog-head' }, h('h2', null, title), h('button', { type: 'button', class: 'tool', 'aria-label': 'Close', onclick: () => (state.over.resolve ? settle(false) : close()) }, icon('close'))),
    h('div', { class: 'dialog-body' }, inside),
  )
}

function floating(one, inside) {
  return h(
    'div',
    { class: 'floating-ground', onclick: (event) => (event.target === event.currentTarget ? close() : undefined) },
    h(
      'div',
      {
        class: 'floating',
        ref: (node) => requestAnimationFrame(() => placeAt(node, one)),
        onkeydown: moved,
      },
      inside,
    ),
  )
}

function placeAt(node, { x, y, from }) {
  const at = x === undefined ? from.getBoundingClientRect() : { right: x, bottom: y }
  const { width, height } = node.getBoundingClientRect()
  node.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`
  node.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - height - 8))}px`
  node.querySelector('button')?.focus()
}

function moved(event) {
  const all = [...event.currentTarget.querySelectorAll('button')]
  const at = all.indexOf(document.activeElement)
  const across = event.currentTarget.querySelector('.picker') ? 8 : 1
  const by = { ArrowDown: across, ArrowUp: -across, ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault()
    event.stopPropagation()
    close()
  } else if (by) {
    event.preventDefault()
    all[Math.max(0, Math.min(all.length - 1, at + by))].focus()
  }
}

function menu({ message, mine }) {
  const item = (label, doing, danger = false, whose = '') =>
    h(
      'button',
      {
        type: 'button',
        role: 'menuitem',
        class: danger ? 'danger' : '',
        onclick: () => {
          close()
          doing()
        },
      },
      h('span', null, label),
      whose ? h('span', { class: 'details' }, whose) : null,
    )
  return h(
    'div',
    { role: 'menu', class: 'menu', 'aria-label': 'Message actions' },
    item('Reply in thread', () => go({ channel: message.channel, thread: message.thread, focus: true })),
    item('Copy link', () => copy(message)),
    mine ? item('Edit message', () => edit(message)) : null,
    mine ? item('Deliver its event again', () => again(message)) : null,
    state.offers.shortcuts.map((one) => item(one.name, () => shortcut(message, one), false, bot()?.real_name)),
    mine ? item('Delete message…', () => remove(message), true) : null,
  )
}

async function shortcut(message, { name, callback_id }) {
  try {
    const { accepted } = await call('shortcut', { channel: message.channel, ts: message.ts, user: state.me, callback_id })
    say(accepted ? `${bot()?.real_name} was told: ${name}.` : `${bot()?.real_name} did not take that. Try again.`)
  } catch (refusal) {
    say(refusal.message)
  }
}

async function copy(message) {
  try {
    await navigator.clipboard.writeText(new URL(permalink(message), location.href).href)
    say('The link is copied.')
  } catch {
    say(new URL(permalink(message), location.href).href)
  }
}

/** The same event once more, as Slack does after it heard no answer. */
export async function again(message) {
  try {
    const { deliveries } = await call('deliveries')
    const events = new Set(deliveries.filter((one) => one.body.event?.ts === message.ts && one.body.event?.channel === message.channel).map((one) => one.id))
    await Promise.all([...events].map((id) => call('deliver-again', { event_id: id })))
    say(events.size ? 'Delivered again, under the same event id. Nothing more should happen.' : 'It was not delivered yet.')
  } catch (refusal) {
    say(refusal.message)
  }
}

/** Where one may jump to by these words: channels by their names, messages by theirs. */
function placesFor(text) {
  const wanted = text.toLowerCase()
  const channels = myChannels()
    .map((channel) => ({ channel, name: channel.direct ? (bot()?.real_name ?? '') : channel.name }))
    .filter((one) => one.name.toLowerCase().includes(wanted))
    .map(({ channel, name }) => ({ id: channel.id, go: { channel: channel.id }, words: [channel.direct ? avatar(bot(), 'small') : icon(channel.private ? 'lock' : 'hash'), name] }))
  const said = wanted ? myChannels().flatMap((channel) => visible(channel.id).filter((one) => typed(one.text).toLowerCase().includes(wanted))) : []
  return [...channels, ...said.slice(-MESSAGES_FOUND_MAX).reverse().map((one) => ({ id: one.ts, go: { channel: one.channel, thread: one.thread, message: one.ts }, words: [avatar(person(one.user), 'small'), h('span', { class: 'words' }, typed(one.text).slice(0, FOUND_CHARACTERS_MAX)), h('span', { class: 'details' }, time(one.ts))] }))]
}

function switcher(one) {
  const all = placesFor(one.text ?? '')
  const at = Math.min(one.at ?? 0, all.length - 1)
  const leave = (to) => {
    state.over = null
    go(to)
  }
  return [
    h('input', {
      type: 'search',
      class: 'field',
      autofocus: true,
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': 'places',
      'aria-activedescendant': all.length ? `place-${all[at].id}` : undefined,
      'aria-label': 'A channel, or words that were said',
      placeholder: 'A channel, or words that were said',
      value: one.text ?? '',
      oninput: (event) => {
        one.text = event.target.value
        one.at = 0
        changed()
      },
      onkeydown: (event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        // As they are now, and not as they were drawn: keys come faster than frames.
        const now = placesFor(one.text ?? '')
        if (by && now.length) {
          event.preventDefault()
          one.at = ((one.at ?? 0) + by + now.length) % now.length
          changed()
        } else if (event.key === 'Enter' && now.length) {
          event.preventDefault()
          leave(now[Math.min(one.at ?? 0, now.length - 1)].go)
        }
      },
    }),
    h('ul', { class: 'places', role: 'listbox', id: 'places', 'aria-label': 'Places' }, all.map((each, i) => h('li', { key: each.id, id: `place-${each.id}`, role: 'option', 'aria-selected': String(i === at), onclick: () => leave(each.go) }, each.words))),
    all.length ? null : h('p', { class: 'details' }, 'Nothing is called so.'),
  ]
}

function keys() {
  const all = [
    ['Ctrl K', 'jump to a channel, or search'],
    ['Alt ↑ / Alt ↓', 'the channel above, below'],
    ['Ctrl B', 'behind the curtain'],
    ['Enter', 'send; Shift Enter begins a line'],
    ['↑ in an empty field', 'edit your last message'],
    ['↑ ↓ on a message', 'the message above, below'],
    ['Enter or T', 'its thread'],
    ['R', 'react to it'],
    ['M', 'what else can be done with it'],
    ['E, Delete', 'edit it, delete it'],
    ['Esc', 'close what is open'],
  ]
  return h('dl', { class: 'keys' }, all.map(([press, what]) => h('div', { key: press }, h('dt', null, h('kbd', null, press)), h('dd', null, what))))
}

