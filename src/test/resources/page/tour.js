// The first-run tour: three things that show what this is. Each button does what a person would type or press.

import { act, attach, call, say } from './api.js'
import { speak } from './composer.js'
import { h } from './dom.js'
import { icon } from './icons.js'
import { go } from './place.js'
import { bot, changed, message, myChannels, person, settings, state, thread, visible } from './state.js'

const VISITORS = 'month,visitors\nJan,120\nFeb,180\nMar,150\nApr,240\nMay,310\nJun,280\nJul,355\nAug,330\n'
const JOB_SECONDS = 90

// What was begun, by step; a workspace that was started again has forgotten it.
let begun = { ...settings.tourBegun }

function note(step, ts) {
  begun = { ...begun, [step]: ts }
  settings.tourBegun = begun
}

const home = () => myChannels().find((one) => one.name === 'general') ?? myChannels()[0]
const root = (step) => (begun[step] && message(home().id, begun[step]) ? begun[step] : '')

function replies(step, after = '') {
  return root(step) ? visible(home().id).filter((one) => one.thread === root(step) && one.ts > after && person(one.user).bot) : []
}

const isWorking = (step) => thread(home().id, root(step)).session === 'processing'

async function ask(step, text, files = []) {
  const ts = await speak({ channel: home().id, text: `@${bot().name} ${text}`, files })
  if (ts) {
    note(step, ts)
    go({ channel: home().id, thread: ts })
  }
}

async function reply(step, text, noted) {
  go({ channel: home().id, thread: root(step) })
  const ts = await speak({ channel: home().id, thread: root(step), text })
  if (ts && noted) {
    note(noted, ts)
  }
}

async function plot() {
  const attached = await attach(new Blob([VISITORS], { type: 'text/csv' })).catch((refusal) => say(refusal.message))
  if (attached) {
    await ask('plot', 'please make a plot of visitors.csv, one bar for each month', [{ name: 'visitors.csv', attached }])
  }
}

async function remove() {
  try {
    say((await call('pull', { lever: 'delete', channel: home().id, ts: root('plot') })).done)
    note('deleted', begun.plot)
    go({ channel: home().id, thread: root('plot') })
    changed()
  } catch (refusal) {
    say(refusal.message)
  }
}

/** A step: what it is called, what it shows, what can be pressed now, and whether it is done. */
function steps() {
  const plotted = replies('plot').some((one) => one.files.length > 0)
  const stopped = replies('job').some((one) => /^Stopped/.test(one.text))
  const deleted = Boolean(root('plot')) && begun.deleted === begun.plot
  const again = deleted && begun.again ? replies('plot', begun.again).some((one) => /new computer/i.test(one.text)) : false
  return [
    {
      title: 'A plot from a file',
      words: 'Attach a table, ask for a picture. The card tells what happens meanwhile.',
      done: plotted,
      now: root('plot') ? [] : [['Ask for a plot', plot]],
    },
    {
      title: 'Steer it, and stop it',
      words: 'A long job hears you while it runs, and stops when you say so.',
      done: stopped,
      now: !root('job')
        ? [['Start a long job', () => ask('job', `$ for i in $(seq ${JOB_SECONDS}); do echo step $i; sleep 1; done`)]]
        : isWorking('job')
          ? [
              [begun.steered === begun.job ? '' : 'Say something meanwhile', () => (note('steered', begun.job), reply('job', 'And when you are done, tell me the date: run: date'))],
              ['Stop it', () => (go({ channel: home().id, thread: root('job') }), act('stop', { channel: home().id, thread_ts: root('job'), user: state.me }))],
            ]
          : [],
    },
    {
      title: 'Come back to a deleted computer',
      words: 'Daytona deletes what nobody uses. The conversation outlives it.',
      done: again,
      now: !plotted || isWorking('plot') ? [] : !deleted ? [['Delete its computer', remove]] : begun.again ? [] : [['Ask again', () => reply('plot', 'What is in your work directory? run: ls -la', 'again')]],
    },
  ]
}

export function tour() {
  if (settings.tour !== 'open') {
    return h('button', { key: 'tour', type: 'button', class: 'place quiet', onclick: () => turn('open') }, icon('flag'), h('span', { class: 'words' }, 'Take the tour'))
  }
  const all = steps()
  const current = all.findIndex((one) => !one.done)
  return h(
    'section',
    { key: 'tour', class: 'tour', 'aria-label': 'Tour' },
    h('div', { class: 'tour-head' }, h('h2', null, current < 0 ? 'That is it' : 'Three things to try'), h('button', { type: 'button', class: 'tool', 'aria-label': 'Close the tour', onclick: () => turn('closed') }, icon('close'))),
    h(
      'ol',
      null,
      all.map((one, at) =>
        h(
          'li',
          { key: one.title, class: one.done ? 'done' : at === current ? 'now' : '', 'aria-current': at === current ? 'step' : undefined },
          h('span', { class: `sign ${one.done ? 'complete' : 'pending'}`, role: 'img', 'aria-label': one.done ? 'done' : 'to do' }, one.done ? icon('check') : null),
          h('div', { class: 'words' }, h('strong', null, one.title), at === current ? h('p', null, one.words) : null, at === current ? one.now.filter(([words]) => words).map(([words, doing]) => h('button', { key: words, type: 'button', class: 'button', onclick: doing }, words)) : null),
        ),
      ),
    ),
    current < 0 ? h('p', null, 'Now ask it something of your own, and look ', h('button', { type: 'button', class: 'plain', onclick: () => ((settings.curtain = true), changed()) }, 'behind the curtain'), '.') : null,
    Object.keys(begun).length ? h('button', { type: 'button', class: 'plain', onclick: restart }, 'Begin again') : null,
  )
}

function turn(how) {
  settings.tour = how
  changed()
}

function restart() {
  begun = {}
  settings.tourBegun = begun
  changed()
}
