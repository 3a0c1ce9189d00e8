// What both dialects share: links that are safe to follow, people and channels by name, emoji, and what surrounds words.

import { base } from './base.js'
import { h } from './dom.js'
import { emoji, isEmoji } from './emoji.js'
import { state } from './state.js'

/** A link opens beside this page and tells nobody where it came from. Other schemes than these stay text. */
export function link(url, label) {
  const safe = /^(https?:|mailto:|tel:)/i.test(url)
  return safe ? h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, label ?? url) : h('span', null, label ?? url)
}

export function mention(id) {
  const person = state.people.get(id)
  return h('span', { class: `mention${id === state.me ? ' me' : ''}` }, `@${person?.name ?? id}`)
}

export function channelLink(id) {
  const channel = state.channels.get(id)
  return channel && !channel.direct
    ? h('a', { class: 'mention', href: `${base}/archives/${id}` }, `#${channel.name}`)
    : h('span', { class: 'mention' }, `#${channel?.name ?? id}`)
}

export function broadcast(range) {
  return h('span', { class: 'mention me' }, `@${range}`)
}

export function emojiNode(name) {
  return isEmoji(name) ? h('span', { class: 'emoji', role: 'img', 'aria-label': name.replaceAll('_', ' '), title: `:${name}:` }, emoji(name)) : `:${name}:`
}

/** Splits at the first place where one of the rules fits, again and again. A rule is a pattern and what becomes of it. */
export function split(text, rules) {
  const out = []
  let from = 0
  const next = rules.map(([pattern, make]) => ({ pattern, make, found: find(pattern, text, 0) }))
  while (from < text.length) {
    let best = null
    for (const rule of next) {
      if (rule.found && rule.found.index < from) {
        rule.found = find(rule.pattern, text, from)
      }
      if (rule.found && (best === null || rule.found.index < best.found.index)) {
        best = rule
      }
    }
    if (best === null) {
      break
    }
    out.push(text.slice(from, best.found.index), best.make(best.found))
    from = best.found.index + best.found[0].length
  }
  out.push(text.slice(from))
  return out
}

// Not by the pattern's own place in the text, which a rule inside a rule would move.
function find(pattern, text, from) {
  pattern.lastIndex = from
  return pattern.exec(text)
}

/** Lines with a break between each two. */
export function lines(text, inline) {
  return text.split('\n').flatMap((line, at) => (at === 0 ? inline(line) : [h('br'), ...inline(line)]))
}

export function code(text) {
  return h('code', null, text)
}

export function pre(text, language) {
  return h('pre', { tabindex: 0, 'data-language': language || undefined }, h('code', null, text))
}
