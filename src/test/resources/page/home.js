// The app's own page, as it shows it to each person: beside the messages with it, under a tab of its own.

import { act, call } from './api.js'
import { base } from './base.js'
import { blocks } from './blocks.js'
import { h } from './dom.js'
import { bot, changed, state } from './state.js'

// Who looks at it and since when; each visit is told to the app, which may then show something newer.
let visit = ''

const place = (user) => `home ${user}`

/** What one may look at of the app: its page, or the messages with it. */
export function tabs(channel) {
  const at = state.place.tab
  const tab = (name, words) => h('a', { key: name, class: 'tab', href: `${base}/archives/${channel}${name ? `?tab=${name}` : ''}`, 'aria-current': at === name ? 'page' : undefined }, words)
  return h('nav', { class: 'tabs', 'aria-label': bot()?.real_name }, tab('home', 'Home'), tab('', 'Messages'))
}

export function home() {
  visited()
  const all = state.homes.get(state.me)
  const where = { key: place(state.me), use: (action, values) => call('use-home', { user: state.me, action_id: action, values }) }
  return h(
    'div',
    { class: 'scroll home', key: place(state.me), tabindex: 0, role: 'region', 'aria-label': `What ${bot()?.real_name} shows you` },
    all ? h('div', { class: 'content' }, blocks(all, where)) : h('p', { class: 'hint', role: 'status' }, h('span', { class: 'spinner' }), ` ${bot()?.real_name} is asked for its page…`),
  )
}

function visited() {
  const now = `${state.me} ${state.place.entered}`
  if (visit === now) {
    return
  }
  visit = now
  // What was written there and not saved is gone, as it is in Slack.
  state.given.delete(place(state.me))
  act('knock').then(() => act('open-home', { user: state.me })).then(changed)
}
