// Standard Markdown as Slack's markdown block draws it: no HTML, images are links, headings are bold lines.

import { h } from './dom.js'
import { broadcast, channelLink, code, emojiNode, link, mention, pre, split } from './inline.js'

const RULES = [
  [/\\([\\`*_{}[\]()#+\-.!~|<>])/g, ([, sign]) => ({ plain: sign })],
  [/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, ([, , text]) => code(text.replace(/^ (.*) $/s, '$1'))],
  [/!?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))+)>?(?:\s+["'][^"']*["'])?\s*\)/g, ([, label, url]) => link(url, label ? inline(label) : url)],
  [/<((?:https?:\/\/|mailto:)[^<>\s]+)>/g, ([, url]) => link(url)],
  [/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g, ([, id]) => mention(id)],
  [/<#(C[A-Z0-9]+)(?:\|[^>]*)?>/g, ([, id]) => channelLink(id)],
  [/<!(here|channel|everyone)(?:\|[^>]*)?>/g, ([, range]) => broadcast(range)],
  [/https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]*_~]/g, ([url]) => link(url)],
  [/(?<!\*)\*\*\*(?=\S)([\s\S]*?\S)\*\*\*(?!\*)/g, ([, text]) => h('strong', null, h('em', null, inline(text)))],
  [/\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)|(?<!\w)__(?=\S)([\s\S]*?\S)__(?!\w)/g, ([, text, other]) => h('strong', null, inline(text ?? other))],
  [/(?<!\*)\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)|(?<![\w_])_(?=[^\s_])([\s\S]*?[^\s_])_(?!\w)/g, ([, text, other]) => h('em', null, inline(text ?? other))],
  [/~~(?=\S)([\s\S]*?\S)~~/g, ([, text]) => h('s', null, inline(text))],
  [/:([a-z0-9_+-]+):/g, ([, name]) => emojiNode(name)],
]

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

function inline(text) {
  return split(text, RULES).flatMap((part) => {
    if (typeof part !== 'string') {
      return part.plain ?? part
    }
    return part
      .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity])
      .split(/ {2,}\n|\n/)
      .flatMap((line, at) => (at ? [h('br'), line] : [line]))
  })
}

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const ITEM = /^( *)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** The whole of a Markdown text. */
export function markdown(text) {
  return blocks(text.replace(/\r\n?/g, '\n').replace(/\t/g, '    ').split('\n'))
}

function blocks(all) {
  const out = []
  let at = 0
  const while_ = (test) => {
    const from = at
    while (at < all.length && test(all[at], at)) {
      at++
    }
    return all.slice(from, at)
  }
  while (at < all.length) {
    const line = all[at]
    const fence = FENCE.exec(line)
    const heading = HEADING.exec(line)
    if (!line.trim()) {
      at++
    } else if (fence) {
      at++
      const end = new RegExp(`^ {0,3}${fence[2][0]}{${fence[2].length},}\\s*$`)
      out.push(pre(while_((one) => !end.test(one)).map((one) => one.replace(new RegExp(`^ {0,${fence[1].length}}`), '')).join('\n'), fence[3]))
      at++
    } else if (heading) {
      at++
      out.push(h('p', { class: `heading h${heading[1].length}`, role: 'heading', 'aria-level': Math.min(6, heading[1].length + 3) }, inline(heading[2])))
    } else if (RULE.test(line)) {
      at++
      out.push(h('hr'))
    } else if (/^ {0,3}>/.test(line)) {
      out.push(h('blockquote', null, blocks(while_((one) => /^ {0,3}>/.test(one)).map((one) => one.replace(/^ {0,3}> ?/, '')))))
    } else if (isTable(line, all[at + 1])) {
      out.push(table(while_((one) => one.includes('|'))))
    } else if (ITEM.test(line)) {
      const other = otherList(line)
      out.push(list(while_((one, i) => (ITEM.test(one) && !other(one)) || /^ {2,}\S/.test(one) || (!one.trim() && /^( {2,}\S| *([-*+]|\d+[.)]) )/.test(all[i + 1] ?? '')))))
    } else {
      const paragraph = while_((one, i) => one.trim() && (i === at || !startsBlock(one, all[i + 1])))
      at += paragraph.length ? 0 : 1
      out.push(h('p', null, inline(paragraph.map((one) => one.trimStart()).join('\n'))))
    }
  }
  return out
}

function startsBlock(line, next) {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || /^ {0,3}>/.test(line) || ITEM.test(line) || isTable(line, next)
}

function isTable(line, next) {
  return line.includes('|') && TABLE_RULE.test(next ?? '') && cells(line).length === cells(next).length
}

/** Whether a line begins a list of the other kind, which ends one of this kind. */
function otherList(first) {
  const [, indent, sign] = ITEM.exec(first)
  return (line) => {
    const item = ITEM.exec(line)
    return item[1].length <= indent.length + 1 && /\d/.test(item[2]) !== /\d/.test(sign)
  }
}

/** What is indented below an item belongs to it. */
function list(all) {
  const first = ITEM.exec(all[0])
  const indent = first[1].length
  const ordered = /\d/.test(first[2])
  const items = []
  for (const line of all) {
    const item = ITEM.exec(line)
    if (item && item[1].length <= indent + 1) {
      items.push([item[3]])
    } else {
      items.at(-1).push(line.slice(Math.min(line.search(/\S|$/), indent + first[2].length + 1)))
    }
  }
  return h(ordered ? 'ol' : 'ul', ordered && first[2] !== '1.' ? { start: parseInt(first[2], 10) } : null, items.map(itemNode))
}

function itemNode([text, ...rest]) {
  const box = /^\[([ xX])\] (.*)$/.exec(text)
  const words = box ? [h('span', { class: 'box', role: 'img', 'aria-label': box[1] === ' ' ? 'open' : 'done' }, box[1] === ' ' ? '☐' : '☑'), ' ', inline(box[2])] : inline(text)
  // A line that goes on is part of the item's own words.
  let own = 0
  while (own < rest.length && rest[own].trim() && !startsBlock(rest[own], rest[own + 1])) {
    own++
  }
  const more = rest.slice(0, own).flatMap((line) => [' ', ...inline(line.trim())])
  return h('li', null, words, more, blocks(rest.slice(own)))
}

function table(all) {
  const [head, rule, ...rows] = all.map(cells)
  const align = rule.map((cell) => (/^:-+:$/.test(cell) ? 'center' : /-:$/.test(cell) ? 'end' : 'start'))
  const cell = (tag) => (text, at) => h(tag, { class: `to-${align[at] ?? 'start'}`, scope: tag === 'th' ? 'col' : undefined }, inline(text))
  return h('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Table' }, h('table', null, h('thead', null, h('tr', null, head.map(cell('th')))), h('tbody', null, rows.map((row) => h('tr', null, row.map(cell('td')))))))
}

function cells(line) {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'))
}
