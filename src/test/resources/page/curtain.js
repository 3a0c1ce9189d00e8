// Behind the curtain, beside a thread: how its messages were delivered, what the tables, Daytona and the journal say, and
// levers with which one makes things go wrong to see what the people in the thread then see.

import { call, say } from './api.js'
import { base } from './base.js'
import { h } from './dom.js'
import { size } from './files.js'
import { icon } from './icons.js'
import { changed, key, settings, state } from './state.js'

const DELIVERIES = [
  ['usual', 'as usual', {}],
  ['twice', 'twice', { times: 2 }],
  ['late', '3 s late', { delay_ms: 3_000 }],
  ['retried', 'only as a retry', { lost: 1 }],
  ['held', 'when I let it', { held: true }],
]

const LEVERS = [
  ['Slack', [
    ['deliver-again', 'Deliver the last message again'],
    ['lose-answer', 'Lose the answer to the next post'],
    ['busy', '429 for a minute'],
    ['expire', 'End the stream'],
    ['heal', 'All well again'],
  ]],
  ['Computer', [
    ['cut', 'Cut the terminal'],
    ['stop', 'Stop it'],
    ['archive', 'Archive it'],
    ['delete', 'Delete it'],
  ]],
  ['Processes', [
    ['kill-pi', 'Kill Pi'],
    ['kill-keeper', 'Kill the keeper'],
    ['kill-worker', 'Kill the worker'],
  ]],
]

let chosen = 'usual'
let looking = { place: '', source: null, seen: null }
let peeking = { path: '', text: '' }

state.delivery = () => DELIVERIES.find(([name]) => name === chosen)[2]

/** Looks at the thread that is open, and stops when none is. A tab in the background leaves its connection to the others. */
function look() {
  const { channel, thread } = state.place
  const place = settings.curtain && thread && document.visibilityState === 'visible' ? key(channel, thread) : ''
  if (looking.place === place) {
    return
  }
  looking.source?.close()
  looking = { place, source: null, seen: null }
  peeking = { path: '', text: '' }
  if (place) {
    const source = new EventSource(`${base}/_local/behind?channel=${channel}&ts=${thread}`)
    looking.source = source
    source.onmessage = (event) => {
      looking.seen = JSON.parse(event.data)
      changed()
    }
  }
}

// What is counted in seconds goes on while nothing else does.
setInterval(() => looking.place && changed(), 1_000)

document.addEventListener('visibilitychange', changed)

export function stopLooking() {
  if (!settings.curtain) {
    look()
  }
}

export function curtain() {
  look()
  const { seen } = looking
  const close = () => {
    settings.curtain = false
    changed()
  }
  return h(
    'aside',
    { class: 'pane curtain', 'aria-label': 'Behind the curtain' },
    h('div', { class: 'pane-head' }, icon('curtain'), h('h1', null, h('span', null, 'Behind the curtain')), h('span', { class: 'grow' }), h('button', { type: 'button', class: 'tool', 'aria-label': 'Close the curtain', onclick: close }, icon('close'))),
    h(
      'div',
      { class: 'scroll', key: 'curtain', tabindex: 0, role: 'region', 'aria-label': 'What is behind' },
      next(),
      looking.place ? null : h('p', { class: 'hint' }, 'Open a thread, and all there is behind it shows up here: its deliveries, its lease, its turns, its computer.'),
      looking.place && !seen ? h('p', { class: 'hint' }, 'Looking…') : null,
      seen ? [levers(seen), lease(seen.tables), turns(seen.tables), deliveries(seen), outbox(seen.tables), calls(seen), computer(seen), journal(seen), terminal(seen), files(seen)] : null,
    ),
  )
}

function next() {
  return h(
    'label',
    { class: 'next' },
    'Slack delivers my next messages ',
    h(
      'select',
      {
        value: chosen,
        onchange: (event) => {
          chosen = event.target.value
          changed()
        },
      },
      DELIVERIES.map(([name, words]) => h('option', { value: name }, words)),
    ),
  )
}

function levers(seen) {
  const busy = left(seen.busy_until)
  return h(
    'section',
    { class: 'levers', 'aria-label': 'Levers' },
    LEVERS.map(([group, some]) => h('div', { key: group, role: 'group', 'aria-label': group }, h('h2', null, group), h('div', null, some.map(([lever, words]) => h('button', { key: lever, type: 'button', class: 'button', onclick: () => pull(lever) }, words))))),
    busy > 0 ? h('p', { class: 'hint warn' }, `Slack answers 429 for another ${busy} s.`) : null,
  )
}

async function pull(lever) {
  const { channel, thread } = state.place
  try {
    say((await call('pull', { lever, channel, ts: thread })).done)
  } catch (refusal) {
    say(refusal.message)
  }
}

function part(name, note, inside, open = false) {
  return h('details', { key: name, class: 'part', open: open || undefined }, h('summary', null, icon('right'), h('h2', null, name), h('span', { class: 'details' }, note)), inside)
}

function rows(head, all) {
  return all.length === 0
    ? h('p', { class: 'hint' }, 'Nothing yet.')
    : h('div', { class: 'rows', tabindex: 0, role: 'region', 'aria-label': head.join(', ') }, h('table', null, h('thead', null, h('tr', null, head.map((one) => h('th', { scope: 'col' }, one)))), h('tbody', null, all.map((row) => h('tr', { key: row.key }, row.cells.map((cell) => h('td', null, cell)))))))
}

function left(until) {
  return until ? Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1_000)) : 0
}

const clock = (at, digits = 1) => (at ? new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: digits || undefined, hourCycle: 'h23' }) : '')

function mark(good, words) {
  return h('span', { class: `mark ${good === null ? '' : good ? 'good' : 'bad'}` }, words)
}

function lease({ key: thread, threads }) {
  const row = threads[0]
  const seconds = left(row?.lease_until)
  const held = row?.lease_owner && seconds > 0
  return part(
    'Lease',
    held ? `held, ${seconds} s left` : row ? 'free' : 'no row yet',
    h(
      'dl',
      { class: 'facts' },
      fact('thread', thread),
      row ? [fact('owner', row.lease_owner ?? '–'), fact('until', row.lease_until ? `${clock(row.lease_until)} (${held ? `${seconds} s left` : 'lapsed or given back'})` : '–'), fact('fence', String(row.fence)), fact('follows the thread', String(row.follows))] : null,
    ),
    true,
  )
}

function fact(name, value) {
  return h('div', { key: name }, h('dt', null, name), h('dd', null, value))
}

function turns({ turns: all, inbox }) {
  return part(
    'Turns and inbox',
    all.length ? `${all.length} · the last ${all[0].outcome ?? all[0].state}` : 'none yet',
    [
      rows(['turn', 'state', 'fence', 'steps', 'tokens', 'journal', 'took'], all.map((one) => ({ key: String(one.turn_id), cells: [one.turn_id, mark(one.state === 'running' ? null : !one.outcome || /^(DONE|answered|done)/i.test(one.outcome), one.outcome ?? one.state), String(one.fence), one.steps, one.tokens, `${one.first_offset ?? ''}–${one.last_offset ?? ''}`, one.seconds === null || one.seconds === undefined ? '…' : `${one.seconds} s`] }))),
      rows(['message', 'kind', 'turn', 'attempts', 'accepted', 'settled'], inbox.map((one) => ({ key: `in ${one.id}`, cells: [one.id, one.steers ? `${one.kind}, steers` : one.kind, one.turn_id ?? '–', one.attempts, clock(one.accepted_at, 0), one.settled_as ? `${one.settled_as} ${clock(one.settled_at, 0)}` : mark(null, 'waits')] }))),
    ],
    true,
  )
}

function deliveries({ deliveries: all }) {
  const bad = all.filter((one) => one.failure).length
  return part(
    'Deliveries',
    `${all.length}${bad ? ` · ${bad} failed` : ''}`,
    rows(['at', 'event', 'attempt', 'answer', 'took'], all.map((one, at) => ({ key: `${one.id} ${one.attempt} ${one.at} ${at}`, cells: [clock(one.at), `${one.type}${one.subtype ? ` · ${one.subtype}` : ''}${one.by_app ? ' · its own' : ''}`, one.attempt ? `retry ${one.attempt} (${one.reason})` : 'first', mark(!one.failure, one.failure || String(one.status)), `${one.took_ms} ms`] }))),
  )
}

function outbox({ outbox: all }) {
  const open = all.filter((one) => one.state !== 'confirmed').length
  return part(
    'Outbox',
    `${all.length}${open ? ` · ${open} not confirmed` : ''}`,
    rows(['subject', 'part', 'state', 'tries', 'at'], all.map((one) => ({ key: `${one.subject} ${one.part}`, cells: [one.subject, one.part.length > 20 ? h('span', { title: one.part }, `${one.part.slice(0, 14)}…`) : one.part, mark(one.state === 'confirmed' ? true : one.state === 'ambiguous' || one.state === 'refused' ? false : null, one.left_over ? `${one.state}, left over` : one.state), one.attempts, clock(one.updated_at)] }))),
  )
}

function calls({ calls: all }) {
  return part(
    'Calls to Slack',
    all.length ? `the last ${all.length}` : 'none yet',
    rows(['at', 'method', 'answer'], all.map((one, at) => ({ key: `${one.at} ${at}`, cells: [clock(one.at), one.method, mark(one.heard && !one.error && one.status === 200, one.heard ? (one.error || String(one.status)) : 'answer lost')] }))),
  )
}

function computer({ sandbox, tables }) {
  const session = tables.sessions[0]
  if (!session) {
    return part('Computer', 'none yet', h('p', { class: 'hint' }, 'Nothing yet.'))
  }
  return part('Computer', sandbox ? `${sandbox.state} · ${sandbox.processes.length} processes` : session.sandbox_id ? 'gone at Daytona' : 'is being made', [
    h(
      'dl',
      { class: 'facts' },
      fact('Daytona says', sandbox ? sandbox.state : 'there is no such sandbox'),
      fact('name', sandbox?.name ?? session.sandbox_name),
      fact('id', sandbox?.id ?? session.sandbox_id ?? '–'),
      fact('session', `${session.session_id}, ${session.status}`),
      session.last_error ? fact('last error', session.last_error) : null,
    ),
    sandbox ? rows(['pid', 'process'], sandbox.processes.map((one) => ({ key: String(one.pid), cells: [one.pid, h('code', { title: one.command }, one.command.replace(/\S*\//g, '') || 'pi')] }))) : null,
  ])
}

function journal({ journal: seen }) {
  if (!seen) {
    return null
  }
  return part('Journal', `${seen.records.length ? `to ${seen.end}` : 'empty'}`, [
    h(
      'ol',
      { class: 'records', tabindex: 0, 'aria-label': 'Records, the newest first' },
      [...seen.records].reverse().map((one) => h('li', { key: String(one.offset) }, h('details', null, h('summary', null, h('span', { class: 'offset' }, one.offset), h('strong', null, one.type)), h('pre', null, one.text)))),
    ),
  ])
}

function terminal({ sandbox }) {
  const some = sandbox?.terminals ?? []
  if (!some.length) {
    return null
  }
  return part('Terminal', `${some.filter((one) => one.open).length} open, read only`, some.map((one) => h('div', { key: one.id }, h('p', { class: 'hint' }, `${one.id.slice(0, 24)} · since ${clock(one.at)} · ${one.open ? 'open' : 'ended'}`), h('pre', { class: 'terminal', tabindex: 0, 'aria-label': 'What it showed last' }, plain(one.tail)))))
}

/** Without what a terminal would act on. */
function plain(text) {
  return text.replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f]/g, '')
}

function files({ files: all }) {
  if (!all) {
    return null
  }
  return part('Files', all.length === 0 ? 'none' : `${all.length}`, [
    all.length === 0 ? h('p', { class: 'hint' }, 'The work directory is empty.') : null,
    h('ul', { class: 'tree' }, all.map((one) => h('li', { key: one.path }, h('button', { type: 'button', 'aria-expanded': String(peeking.path === one.path), onclick: () => peek(one.path) }, icon('file'), h('span', { class: 'words' }, one.path), h('span', { class: 'details' }, size(one.size))), peeking.path === one.path ? h('pre', { tabindex: 0, 'aria-label': `Beginning of ${one.path}` }, peeking.text) : null))),
  ])
}

async function peek(path) {
  if (peeking.path === path) {
    peeking = { path: '', text: '' }
    changed()
    return
  }
  peeking = { path, text: 'Reading…' }
  changed()
  const { channel, thread } = state.place
  const answer = await fetch(`${base}/_local/peek?channel=${channel}&ts=${thread}&path=${encodeURIComponent(path)}`)
  const text = await answer.text()
  if (peeking.path === path) {
    peeking.text = text
    changed()
  }
}
