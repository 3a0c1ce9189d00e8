// Slack's own dialect: *bold*, _italic_, ~struck~, tokens in angle brackets, and three escaped characters.

import { h } from './dom.js'
import { broadcast, channelLink, code, emojiNode, lines, link, mention, pre, split } from './inline.js'

const unescape = (text) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')

const RULES = [
  [/<([^<>\n]+)>/g, ([, token]) => tokenNode(token)],
  [/`([^`\n]+)`/g, ([, text]) => code(inPlain(text))],
  // Marks that stand twice are Markdown's, and mean nothing here.
  [/(?<![\w*])\*([^\s*]|[^\s*][^*\n]*[^\s*])\*(?![\w*])/g, ([, text]) => h('strong', null, inline(text))],
  [/(?<![\w_])_([^\s_]|[^\s_][^_\n]*[^\s_])_(?![\w_])/g, ([, text]) => h('em', null, inline(text))],
  [/(?<![\w~])~([^\s~]|[^\s~][^~\n]*[^\s~])~(?![\w~])/g, ([, text]) => h('s', null, inline(text))],
  [/:([a-z0-9_+-]+(?:::skin-tone-\d)?):/g, ([, name]) => emojiNode(name)],
]

/** Inside code a link is only its address. */
function inPlain(text) {
  return unescape(text.replace(/<([^<>|\n]+)(?:\|([^<>\n]*))?>/g, (_, target, label) => label ?? target))
}

function tokenNode(token) {
  const [target, label] = [token.split('|', 1)[0], token.includes('|') ? token.slice(token.indexOf('|') + 1) : undefined]
  switch (target[0]) {
    case '@':
      return mention(target.slice(1))
    case '#':
      return channelLink(target.slice(1))
    case '!':
      return /^!(here|channel|everyone)$/.test(target) ? broadcast(target.slice(1)) : unescape(label ?? target)
    default:
      return link(unescape(target), unescape(label ?? target))
  }
}

function inline(text) {
  return split(text, RULES).map((part) => (typeof part === 'string' ? unescape(part) : part))
}

/** The whole of a text in this dialect. */
export function mrkdwn(text) {
  return text.split(/```\n?([\s\S]*?)\n?```\n?/).flatMap((part, at) => (at % 2 ? [pre(inPlain(part))] : quotes(part)))
}

function quotes(text) {
  const out = []
  for (const stretch of text.match(/(?:^&gt;[^\n]*(?:\n|$))+|(?:^(?!&gt;)[^\n]*(?:\n|$))+/gm) ?? []) {
    const plain = stretch.replace(/\n$/, '')
    if (plain.startsWith('&gt;')) {
      out.push(h('blockquote', null, lines(plain.replace(/^&gt; ?/gm, ''), inline)))
    } else if (plain) {
      out.push(...lines(plain, inline))
    }
  }
  return out
}
