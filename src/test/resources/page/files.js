// Files in a message: pictures and short texts are shown, and any of them can be had.

import { downloadUrl, fileUrl } from './api.js'
import { h } from './dom.js'
import { icon } from './icons.js'
import { changed, state } from './state.js'

const PREVIEW_BYTES_MAX = 200_000
const PREVIEW_LINES = 6
const TEXT = /^(text\/|application\/(json|xml|javascript|x-sh|x-yaml))|\.(md|csv|tsv|txt|log|json|ya?ml|toml|ini|sh|py|js|mjs|ts|java|rs|go|c|h|sql|xml|html|css)$/i

// file id → its text, once it is here
const texts = new Map()

export function files(message) {
  return message.files.length === 0 ? null : h('div', { class: 'files' }, message.files.map(file))
}

export const isImage = (one) => /^image\/(png|jpe?g|gif|webp|svg\+xml|avif|bmp)$/.test(one.mimetype)
const isText = (one) => !isImage(one) && one.size <= PREVIEW_BYTES_MAX && (TEXT.test(one.mimetype) || TEXT.test(one.name))

function file(one) {
  return h(
    'div',
    { key: one.id, class: 'file' },
    isImage(one) ? picture(one) : null,
    isText(one) ? preview(one) : null,
    isImage(one)
      ? null
      : h(
          'a',
          { class: 'chip', href: downloadUrl(one), download: one.name },
          h('span', { class: `kind ${extension(one.name)}` }, icon('file')),
          h('span', { class: 'words' }, h('strong', null, one.title || one.name), h('span', { class: 'details' }, `${kind(one)} · ${size(one.size)}`)),
          icon('download'),
        ),
  )
}

function picture(one) {
  return h(
    'figure',
    { class: 'picture' },
    h(
      'figcaption',
      null,
      h('span', null, one.title || one.name),
      h('a', { href: downloadUrl(one), download: one.name, 'aria-label': `Download ${one.name}`, title: 'Download' }, icon('download')),
    ),
    h(
      'button',
      {
        type: 'button',
        'aria-label': `Open ${one.title || one.name}`,
        onclick: () => {
          state.over = { kind: 'picture', file: one }
          changed()
        },
      },
      h('img', { src: fileUrl(one), alt: one.title || one.name, loading: 'lazy' }),
    ),
  )
}

function preview(one) {
  if (!texts.has(one.id)) {
    texts.set(one.id, null)
    fetch(fileUrl(one))
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
      .then((text) => texts.set(one.id, text))
      .catch(() => texts.set(one.id, ''))
      .finally(changed)
  }
  const text = texts.get(one.id)
  if (!text) {
    return null
  }
  const all = text.replace(/\n$/, '').split('\n')
  const open = state.folded.get(`file ${one.id}`) === false
  const shown = open ? all : all.slice(0, PREVIEW_LINES)
  return h(
    'div',
    { class: 'preview' },
    h('pre', { tabindex: 0, 'aria-label': `Beginning of ${one.name}` }, h('code', null, shown.join('\n'))),
    all.length > PREVIEW_LINES
      ? h(
          'button',
          {
            type: 'button',
            class: 'plain',
            'aria-expanded': String(open),
            onclick: () => {
              state.folded.set(`file ${one.id}`, open)
              changed()
            },
          },
          open ? 'Show less' : `Show all ${all.length} lines`,
        )
      : null,
  )
}

function extension(name) {
  const found = /\.([a-z0-9]{1,5})$/i.exec(name)
  return found ? found[1].toLowerCase() : ''
}

function kind(one) {
  return extension(one.name).toUpperCase() || 'File'
}

export function size(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB']
  let at = 0
  let value = bytes
  while (value >= 1_000 && at < units.length - 1) {
    value /= 1_000
    at++
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`
}
