// Behind the curtain, beside a thread.

import { h } from './dom.js'

export function curtain() {
  return h('aside', { class: 'pane curtain', 'aria-label': 'Behind the curtain' })
}
