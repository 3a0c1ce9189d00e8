// Where one writes: names are completed, files are taken by button, drop and paste, and Enter sends.

import { act, attach, call, say } from './api.js'
import { h } from './dom.js'
import { size } from './files.js'
import { icon } from './icons.js'
import { edit } from './messages.js'
import { bot, changed, state, visible } from './state.js'

const FILES_MAX = 10
const NAMES_MAX = 6
// Of a minute each: a first start fetches and compiles.
const KNOCKS_MAX = 10

// What is being completed, and where the hand is in the list.
let completing = null
let next = 1

export function draft(place) {
  if (!state.drafts.has(place)) {
    state.drafts.set(place, { text: '', files: [] })
  }
  return state.drafts.get(place)
}

/** @param where place, channel, and thread or edit; placeholder is what it says when it is empty */
export function composer(where) {
  const mine = draft(where.place)
  const ready = (mine.text.trim() || mine.files.length) && mine.files.every((one) => one.attached) && (!where.edit || mine.text.trim())
  const names = namesFor(where)
  const id = `write ${where.place}`.replaceAll(/[ .:]/g, '-')
  return h(
    'form',
    {
      class: `composer${where.edit ? ' editing' : ''}`,
      onsubmit: (event) => {
        event.preventDefault()
        send(where)
      },
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => {
        event.preventDefault()
        take(where, event.dataTransfer.files)
      },
    },
    names.length
      ? h(
          'ul',
          { class: 'names', role: 'listbox', id: `${id}-names`, 'aria-label': completing.sign === '/' ? 'Commands' : 'People' },
          names.map((one, at) =>
            h('li', { key: one.id, id: `${id}-${one.id}`, role: 'option', 'aria-selected': String(at === completing.at), onmousedown: (event) => choose(event, where, one) }, h('strong', null, one.words), h('span', { class: 'details' }, one.more), one.bot ? h('span', { class: 'badge' }, 'APP') : null),
          ),
        )
      : null,
    h('textarea', {
      id,
      rows: 1,
      'aria-label': where.placeholder ?? 'Edit message',
      placeholder: where.placeholder ?? '',
      value: mine.text,
      spellcheck: 'true',
      role: names.length ? 'combobox' : undefined,
      'aria-expanded': names.length ? 'true' : undefined,
      'aria-controls': names.length ? `${id}-names` : undefined,
      'aria-activedescendant': names.length ? `${id}-${names[completing.at]?.id}` : undefined,
      ref: (node) => (where.edit ? requestAnimationFrame(() => node.focus()) : undefined),
      oninput: (event) => typed(event, where),
      onkeydown: (event) => pressed(event, where),
      onpaste: (event) => {
        if (event.clipboardData.files.length) {
          event.preventDefault()
          take(where, event.clipboardData.files)
        }
      },
      onblur: () => {
        completing = null
        changed()
      },
    }),
    mine.files.length ? h('ul', { class: 'attached', 'aria-label': 'Attached files' }, mine.files.map((one) => chip(where, one))) : null,
    h(
      'div',
      { class: 'tools' },
      where.edit
        ? null
        : h(
            'label',
            { class: 'tool', title: 'Attach files' },
            icon('plus'),
            h('input', {
              type: 'file',
              multiple: true,
              class: 'hidden',
              'aria-label': 'Attach files',
              onchange: (event) => {
                take(where, event.target.files)
                event.target.value = ''
              },
            }),
          ),
      where.edit ? null : h('button', { type: 'button', class: 'tool', 'aria-label': 'Mention someone', title: 'Mention someone', onclick: (event) => at(event, where) }, icon('at')),
      h('span', { class: 'grow' }),
      where.edit ? h('button', { type: 'button', class: 'button', onclick: stopEditing }, 'Cancel') : null,
      where.edit ? h('button', { type: 'submit', class: 'button primary', disabled: !ready }, 'Save') : h('button', { type: 'submit', class: 'tool send', disabled: !ready, 'aria-label': 'Send', title: 'Send (Enter)' }, icon('send')),
    ),
  )
}

function chip(where, one) {
  return h(
    'li',
    { key: String(one.id), class: one.attached ? 'chip' : 'chip loading' },
    one.picture ? h('img', { src: one.picture, alt: '' }) : icon('file'),
    h('span', { class: 'words' }, h('strong', null, one.name), h('span', { class: 'details' }, one.attached ? size(one.size) : 'Uploading…')),
    h('button', { type: 'button', class: 'tool', 'aria-label': `Remove ${one.name}`, onclick: () => drop(where, one) }, icon('close')),
  )
}

/** Grows with its text, up to a third of the window. */
export function fit(node) {
  if (node.fitted === node.value + node.clientWidth) {
    return
  }
  node.fitted = node.value + node.clientWidth
  node.style.height = 'auto'
  node.style.height = `${Math.min(node.scrollHeight, innerHeight / 3)}px`
}

function typed(event, where) {
  const node = event.target
  draft(where.place).text = node.value
  const before = node.value.slice(0, node.selectionStart)
  const found = /(?:^|[\s(])(@)([\w.-]*)$/.exec(before) ?? /^(\/)([\w-]*)$/.exec(before)
  completing = found ? { place: where.place, channel: where.channel, sign: found[1], begun: found[2].toLowerCase(), at: 0, node } : null
  changed()
}

function namesFor(where) {
  return completing?.place === where.place ? matches() : []
}

function matches() {
  return completing.sign === '/' ? commands() : people()
}

function commands() {
  return state.offers.commands
    .map(({ command, description, usage_hint }) => ({ id: command.slice(1), name: command.slice(1), words: command, more: `[${usage_hint}] ${description}`, bot: true }))
    .filter((one) => one.name.startsWith(completing.begun))
}

function people() {
  const members = state.channels.get(completing.channel)?.members ?? []
  return [...state.people.values()]
    .filter((one) => members.includes(one.id) && one.id !== state.me)
    .filter((one) => one.name.startsWith(completing.begun) || one.real_name.toLowerCase().startsWith(completing.begun))
    .sort((a, b) => Number(b.bot) - Number(a.bot))
    .slice(0, NAMES_MAX)
    .map(({ id, name, real_name, bot: isBot }) => ({ id, name, words: real_name, more: `@${name}`, bot: isBot }))
}

function choose(event, where, one) {
  event.preventDefault()
  const { node, begun } = completing
  const end = node.selectionStart
  const text = `${node.value.slice(0, end - begun.length)}${one.name} ${node.value.slice(end)}`
  completing = null
  draft(where.place).text = text
  node.value = text
  node.setSelectionRange(end - begun.length + one.name.length + 1, end - begun.length + one.name.length + 1)
  changed()
}

function at(event, where) {
  const node = event.currentTarget.form.querySelector('textarea')
  const mine = draft(where.place)
  mine.text = `${mine.text}${mine.text && !/\s$/.test(mine.text) ? ' ' : ''}@`
  node.value = mine.text
  node.focus()
  node.dispatchEvent(new Event('input'))
}

function pressed(event, where) {
  if (event.isComposing) {
    return
  }
  // As they are now, and not as they were drawn: keys come faster than frames.
  const names = namesFor(where)
  if (names.length) {
    const doing = {
      ArrowDown: () => (completing.at = (completing.at + 1) % names.length),
      ArrowUp: () => (completing.at = (completing.at + names.length - 1) % names.length),
      Tab: () => choose(event, where, names[completing.at]),
      Enter: () => choose(event, where, names[completing.at]),
      Escape: () => (completing = null),
    }[event.key]
    if (doing) {
      event.preventDefault()
      event.stopPropagation()
      doing()
      changed()
      return
    }
  }
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault()
    event.target.form.requestSubmit()
  } else if (event.key === 'Escape' && where.edit) {
    event.stopPropagation()
    stopEditing()
  } else if (event.key === 'ArrowUp' && !event.target.value && !where.edit) {
    const last = visible(where.channel).findLast((one) => one.user === state.me && !one.tombstone && (where.thread ? one.thread === where.thread : one.thread === one.ts))
    if (last) {
      event.preventDefault()
      edit(last)
    }
  }
}

function stopEditing() {
  state.editing = ''
  changed()
}

function take(where, list) {
  const mine = draft(where.place)
  for (const file of list) {
    if (mine.files.length >= FILES_MAX) {
      say(`At most ${FILES_MAX} files go with one message.`)
      break
    }
    const abort = new AbortController()
    const one = { id: next++, name: file.name || 'pasted.png', size: file.size, picture: /^image\/(png|jpe?g|gif|webp)$/.test(file.type) ? URL.createObjectURL(file) : '', attached: '', abort }
    mine.files.push(one)
    attach(file, abort.signal)
      .then((attached) => {
        one.attached = attached
        changed()
      })
      .catch((refusal) => {
        drop(where, one)
        if (refusal.name !== 'AbortError') {
          say(`${one.name} was not taken: ${refusal.message}`)
        }
      })
  }
  changed()
}

function drop(where, one) {
  const mine = draft(where.place)
  one.abort.abort()
  URL.revokeObjectURL(one.picture)
  mine.files = mine.files.filter((other) => other !== one)
  changed()
}

async function send(where) {
  const mine = draft(where.place)
  const text = mine.text.trim()
  if (where.edit) {
    stopEditing()
    await act('edit', { channel: where.channel, ts: where.edit.ts, text })
    return
  }
  if ((!text && !mine.files.length) || mine.files.some((one) => !one.attached)) {
    return
  }
  if (text.startsWith('/')) {
    await give(where, text)
    return
  }
  state.drafts.set(where.place, { text: '', files: [] })
  mine.files.forEach((one) => URL.revokeObjectURL(one.picture))
  await speak({ channel: where.channel, thread: where.thread, text, files: mine.files.map(({ name, attached }) => ({ name, attached })) })
}

/** What begins with a slash is a command, and no message; whoever has mistyped it still has it. */
async function give(where, text) {
  const [name, ...words] = text.split(/\s+/)
  const known = state.offers.commands.some((one) => one.command === name)
  if (!known || where.thread) {
    say(known ? `${name} is not supported in threads. Sorry! Here, !help tells what is.` : `${name} is not a valid command.`)
    return
  }
  state.drafts.set(where.place, { text: '', files: [] })
  changed()
  try {
    await listening()
    const { accepted } = await call('command', { channel: where.channel, user: state.me, command: name, text: words.join(' ') })
    if (!accepted) {
      say(`${name} failed: ${bot()?.real_name} did not answer.`)
    }
  } catch (refusal) {
    say(refusal.message)
  }
}

/** Says something as whoever one is. Gorkie may still be starting; then it is kept until it listens. */
export function speak({ channel, thread, text, files = [] }) {
  const leaving = { id: next++, channel, thread: thread ?? '', user: state.me, text, files, delivery: delivery() }
  state.leaving.push(leaving)
  changed()
  // One after the other, so that none overtakes another while Gorkie is waited for.
  const going = gone.then(() => leave(leaving))
  gone = going
  return going
}

let gone = Promise.resolve()

async function leave(leaving) {
  const { channel, thread, user, text, files } = leaving
  try {
    await listening()
    const given = { channel, user, text, files, delivery: leaving.delivery }
    const { ts } = await call('say', thread ? { ...given, thread_ts: thread } : given)
    if (given.delivery.held) {
      state.held.push({ channel, ts })
    }
    return ts
  } catch (refusal) {
    say(refusal.message)
    return ''
  } finally {
    state.leaving = state.leaving.filter((one) => one !== leaving)
    changed()
  }
}

/** Slack tries again after a minute, which is long for who looks on; so a message waits here until Gorkie listens. */
async function listening() {
  for (let tries = 0; tries < KNOCKS_MAX; tries++) {
    if ((await call('knock')).listens) {
      return
    }
  }
}

/** How Slack is to treat what is said next; usually well. */
function delivery() {
  return state.delivery?.() ?? {}
}
