// Block Kit as Slack draws it. What is not known here is said to be so, as Slack does with blocks newer than the client.

import { call, say } from './api.js'
import { base } from './base.js'
import { h } from './dom.js'
import { icon } from './icons.js'
import { broadcast, channelLink, code, emojiNode, lines, link, mention } from './inline.js'
import { markdown } from './markdown.js'
import { mrkdwn } from './mrkdwn.js'
import { changed, state } from './state.js'

/**
 * The blocks of a message, or of a page of the app's.
 *
 * @param where `key` tells them from all others; `use(action, values)` tells the app that somebody used one of them
 */
export function blocks(all, where) {
  return all.map((block, at) => blockNode(block, where, `${where.key} ${at}`))
}

/** Where the blocks of a message stand. */
export function inMessage(message) {
  return { key: message.ts, use: (action, values) => call('click', { channel: message.channel, ts: message.ts, user: state.me, action_id: action, values }) }
}

function blockNode(block, where, place) {
  switch (block.type) {
    case 'section':
      return section(block, where)
    case 'input':
      return input(block, where, place)
    case 'header':
      return h('p', { class: 'heading h1', role: 'heading', 'aria-level': 4 }, text(block.text))
    case 'divider':
      return h('hr')
    case 'context':
      return h('div', { class: 'context' }, (block.elements ?? []).map((one) => (one.type === 'image' ? image(one, 'small') : h('span', null, text(one)))))
    case 'actions':
    case 'context_actions':
      return h('div', { class: 'actions' }, (block.elements ?? []).flatMap((one) => element(one, block, where)))
    case 'markdown':
      return h('div', { class: 'markdown' }, markdown(block.text ?? ''))
    case 'rich_text':
      return richText(block)
    case 'image':
      return h('figure', null, block.title ? h('figcaption', null, text(block.title)) : null, image(block))
    case 'table':
    case 'data_table':
      return table(block)
    case 'plan':
      return plan(block, place)
    case 'task_card':
      return h('ol', { class: 'tasks alone' }, task(block, place))
    case 'container':
      return container(block, where, place)
    case 'card':
      return card(block, where)
    case 'carousel':
      return h('div', { class: 'carousel', tabindex: 0, role: 'region', 'aria-label': 'Cards' }, (block.elements ?? []).map((one) => card(one, where)))
    case 'alert':
      return h('div', { class: `alert ${word(block.level ?? block.style)}` }, icon('alert'), h('div', null, text(block.text ?? block.title)))
    case 'file':
      return null
    case 'video':
      return h('p', null, link(block.title_url ?? block.video_url ?? '', plain(block.title)))
    default:
      return h('p', { class: 'unknown' }, `This content can’t be displayed (${block.type}).`)
  }
}

/** A word that may become a class. */
function word(value) {
  return /^[a-z_]+$/.test(value ?? '') ? value : ''
}

/** A text in any of the forms in which blocks have one. */
function text(value) {
  if (!value) {
    return []
  }
  if (typeof value === 'string') {
    return lines(value, withEmoji)
  }
  switch (value.type) {
    case 'mrkdwn':
      return mrkdwn(value.text ?? '')
    case 'rich_text':
      return [richText(value)]
    case 'raw_text':
    case 'raw_number':
      return [String(value.text ?? value.value ?? '')]
    default:
      return lines(String(value.text ?? ''), withEmoji)
  }
}

function withEmoji(line) {
  return line.split(/:([a-z0-9_+-]+):/).map((part, at) => (at % 2 ? emojiNode(part) : part))
}

function plain(value) {
  return typeof value === 'string' ? value : (value?.text ?? '')
}

function section(block, where) {
  return h(
    'div',
    { class: 'section' },
    h(
      'div',
      null,
      block.text ? h('div', null, text(block.text)) : null,
      block.fields ? h('div', { class: 'fields' }, block.fields.map((field) => h('div', null, text(field)))) : null,
    ),
    block.accessory ? h('div', { class: 'accessory' }, element(block.accessory, block, where)) : null,
  )
}

/** Nothing is loaded from elsewhere, so an image there is a link with its description. */
function image(block, size = '') {
  const own = block.slack_file?.id
  return own
    ? h('img', { class: size, src: `${base}/_local/file?id=${encodeURIComponent(own)}`, alt: block.alt_text ?? '' })
    : h('span', { class: 'elsewhere' }, 'image: ', link(block.image_url ?? '', block.alt_text || block.image_url))
}

function element(one, block, where) {
  switch (one.type) {
    case 'button':
    case 'workflow_button':
      return [button(one, where)]
    case 'icon_button':
      return [button({ ...one, text: one.text ?? one.icon }, where)]
    case 'feedback_buttons':
      return [one.positive_button, one.negative_button].filter(Boolean).map((each) => button({ action_id: one.action_id, ...each }, where))
    case 'image':
      return [image(one, 'thumb')]
    case 'static_select':
    case 'overflow':
      return [menu(one, block, where)]
    default:
      return [h('span', { class: 'unknown' }, one.type)]
  }
}

function button(one, where) {
  const style = one.style === 'primary' || one.style === 'danger' ? one.style : ''
  const using = isUsing(one, where)
  return h(
    'button',
    {
      type: 'button',
      class: `button ${style}`,
      disabled: using,
      'aria-label': one.accessibility_label,
      onclick: () => use(one, where),
    },
    using ? h('span', { class: 'spinner' }) : null,
    text(one.text),
  )
}

function menu(one, block, where) {
  const values = given(where)
  const options = one.options ?? []
  const chosen = values[one.action_id] ?? one.initial_option?.value ?? ''
  return h(
    'select',
    {
      class: 'field',
      'aria-label': plain(one.placeholder) || plain(block.text ?? block.label) || 'Choose',
      value: chosen,
      disabled: isUsing(one, where),
      onchange: (event) => {
        values[one.action_id] = event.target.value
        use(one, where)
      },
    },
    chosen ? null : h('option', { value: '' }, plain(one.placeholder) || 'Choose'),
    options.map((option) => h('option', { key: option.value, value: option.value }, plain(option.text))),
  )
}

/** What somebody has chosen or written among these blocks, by action. */
function given(where) {
  if (!state.given.has(where.key)) {
    state.given.set(where.key, {})
  }
  return state.given.get(where.key)
}

const isUsing = (one, where) => state.using.has(`${where.key} ${one.action_id}`)

async function use(one, where) {
  if (one.confirm && !(await confirmed(one.confirm))) {
    return
  }
  if (one.url && /^https?:/i.test(one.url)) {
    window.open(one.url, '_blank', 'noopener,noreferrer')
  }
  const id = `${where.key} ${one.action_id}`
  state.using.add(id)
  changed()
  try {
    const delivery = await where.use(one.action_id, given(where))
    if (!delivery.accepted) {
      say('Gorkie did not take that. Try again.')
    }
  } catch (refusal) {
    say(refusal.message)
  } finally {
    state.using.delete(id)
    changed()
  }
}

function input(block, where, place) {
  const one = block.element ?? {}
  const id = `${place} field`.replaceAll(/[^\w]/g, '-')
  const values = given(where)
  const field = {
    id,
    class: 'field',
    value: values[one.action_id] ?? one.initial_value ?? '',
    placeholder: plain(one.placeholder),
    maxlength: one.max_length,
    'aria-describedby': block.hint ? `${id}-hint` : undefined,
    oninput: (event) => {
      values[one.action_id] = event.target.value
      changed()
    },
  }
  return h(
    'div',
    { class: 'input' },
    h('label', { for: id }, text(block.label), block.optional ? h('span', { class: 'details' }, ' (optional)') : null),
    one.type !== 'plain_text_input' ? element(one, block, where) : one.multiline ? h('textarea', { ...field, rows: 4 }) : h('input', { ...field, type: 'text' }),
    block.hint ? h('p', { class: 'details', id: `${id}-hint` }, text(block.hint)) : null,
  )
}

function confirmed({ title, text: question, confirm, deny }) {
  return new Promise((resolve) => {
    state.over = { kind: 'confirm', title: plain(title), text: plain(question), yes: plain(confirm) || 'Yes', no: plain(deny) || 'Cancel', resolve }
    changed()
  })
}

function richText(block) {
  return h('div', { class: 'rich' }, (block.elements ?? []).map(richPart))
}

function richPart(part) {
  const inside = part.elements ?? []
  switch (part.type) {
    case 'rich_text_list':
      return h(
        part.style === 'ordered' ? 'ol' : 'ul',
        { class: `indent${Math.min(part.indent ?? 0, 6)}`, start: part.style === 'ordered' && part.offset ? part.offset + 1 : undefined },
        inside.map((item) => h('li', null, (item.elements ?? []).map(richElement))),
      )
    case 'rich_text_quote':
      return h('blockquote', null, inside.map(richElement))
    case 'rich_text_preformatted':
      return h('pre', { tabindex: 0 }, h('code', null, inside.map((one) => one.text ?? one.url ?? '')))
    default:
      return h('div', null, inside.map(richElement))
  }
}

function richElement(one) {
  const style = one.style ?? {}
  let node
  switch (one.type) {
    case 'text':
      node = style.code ? code(one.text ?? '') : lines(one.text ?? '', (line) => [line])
      break
    case 'link':
      node = link(one.url ?? '', one.text || one.url)
      break
    case 'user':
      node = mention(one.user_id)
      break
    case 'channel':
      node = channelLink(one.channel_id)
      break
    case 'broadcast':
      node = broadcast(one.range)
      break
    case 'emoji':
      node = emojiNode(one.name ?? '')
      break
    case 'date':
      node = one.fallback ?? new Date((one.timestamp ?? 0) * 1_000).toLocaleString()
      break
    default:
      node = one.text ?? ''
  }
  for (const [name, tag] of [['bold', 'strong'], ['italic', 'em'], ['strike', 's'], ['underline', 'u']]) {
    if (style[name]) {
      node = h(tag, null, node)
    }
  }
  return node
}

function table(block) {
  const [head, ...rows] = block.rows ?? []
  const side = (at) => `to-${{ right: 'end', center: 'center' }[block.column_settings?.[at]?.align] ?? 'start'}`
  const row = (tag) => (cells) => h('tr', null, (cells ?? []).map((cell, at) => h(tag, { class: side(at), scope: tag === 'th' ? 'col' : undefined }, text(cell))))
  return h('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Table' }, h('table', null, h('thead', null, row('th')(head)), h('tbody', null, rows.map(row('td')))))
}

/** A plan folds into its title, which says how far it is. */
function plan(block, place) {
  const tasks = block.tasks ?? []
  const folded = state.folded.get(place) ?? false
  const done = tasks.filter((one) => one.status === 'complete').length
  const state_ = tasks.some((one) => one.status === 'error') ? 'error' : done < tasks.length ? 'in_progress' : 'complete'
  return h(
    'div',
    { class: `plan ${state_}` },
    h(
      'button',
      {
        type: 'button',
        class: 'title',
        'aria-expanded': String(!folded),
        onclick: () => {
          state.folded.set(place, !folded)
          changed()
        },
      },
      sign(state_),
      h('span', { class: 'words' }, text(block.title)),
      icon(folded ? 'right' : 'down'),
    ),
    folded ? null : h('ol', { class: 'tasks' }, tasks.map((one, at) => task(one, `${place} ${one.task_id ?? at}`))),
  )
}

const SIGNS = { complete: 'done', in_progress: 'under way', error: 'went wrong', pending: 'to do' }

function sign(status) {
  const known = SIGNS[status] ? status : 'pending'
  return h('span', { class: `sign ${known}`, role: 'img', 'aria-label': SIGNS[known] }, known === 'complete' ? icon('check') : known === 'error' ? icon('alert') : null)
}

function task(one, place) {
  return h(
    'li',
    { key: place, class: `task ${word(one.status)}` },
    sign(one.status ?? 'pending'),
    h(
      'div',
      { class: 'words' },
      h('span', { class: 'name' }, text(one.title)),
      one.details ? h('div', { class: 'details' }, text(one.details)) : null,
      one.output ? h('div', { class: 'output' }, text(one.output)) : null,
      one.sources?.length ? h('div', { class: 'sources' }, one.sources.map((source) => link(source.url ?? '', source.text))) : null,
    ),
  )
}

function container(block, where, place) {
  const folded = state.folded.get(place) ?? block.default_collapsed ?? false
  const inside = (block.child_blocks ?? []).map((child, at) => blockNode(child, where, `${place} ${at}`))
  const words = [h('strong', null, text(block.rich_text_title ?? block.title)), block.subtitle ? h('span', { class: 'details' }, text(block.subtitle)) : null]
  if (!block.is_collapsible) {
    return h('div', { class: 'container' }, h('div', { class: 'title' }, h('span', { class: 'words' }, words)), inside)
  }
  const turn = () => {
    state.folded.set(place, !folded)
    changed()
  }
  return h('div', { class: 'container' }, h('button', { type: 'button', class: 'title', 'aria-expanded': String(!folded), onclick: turn }, icon(folded ? 'right' : 'down'), h('span', { class: 'words' }, words)), folded ? null : inside)
}

function card(block, where) {
  return h(
    'div',
    { class: 'card' },
    h('strong', null, text(block.title)),
    block.subtitle ? h('div', { class: 'details' }, text(block.subtitle)) : null,
    block.body ? h('div', null, text(block.body)) : null,
    block.subtext ? h('div', { class: 'details' }, text(block.subtext)) : null,
    block.actions ? h('div', { class: 'actions' }, block.actions.flatMap((one) => element(one, block, where))) : null,
  )
}
