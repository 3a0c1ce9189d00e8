// Drawings in one line, in the colour of the words beside them.

import { h } from './dom.js'

const PATHS = {
  hash: 'M7 3 5.500 17M14.500 3 13 17M3.500 7.500h14M2.500 12.500h14',
  lock: 'M5.500 9h9v8h-9zM7.500 9V6.500a2.500 2.500 0 0 1 5 0V9',
  reply: 'M3 4h14v9.500H9.500L6 16.500v-3H3zM6.500 7.500h7M6.500 10.200h4.500',
  smile: 'M10 2.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15zM7 8v.8M13 8v.8M6.500 11.800c1.800 2.600 5.200 2.600 7 0',
  more: 'M10 4.500v.1M10 10v.1M10 15.500v.1',
  close: 'M5 5l10 10M15 5 5 15',
  back: 'M11.500 4.500 6 10l5.500 5.500M6.500 10H16',
  plus: 'M10 4v12M4 10h12',
  send: 'M3 3.500 17.500 10 3 16.500 5 11l6-1-6-1z',
  menu: 'M3 5.500h14M3 10h14M3 14.500h14',
  file: 'M5 2.500h6.500L15.500 6.500v11H5zM11.500 2.500v4h4',
  download: 'M10 3v9.500M6 9l4 4 4-4M3.500 16.500h13',
  check: 'M4.500 10.500 8.500 14.500 15.500 6',
  down: 'M5 7.500l5 5 5-5',
  right: 'M7.500 5l5 5-5 5',
  sun: 'M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 1.800v1.600M10 16.600v1.600M1.800 10h1.600M16.600 10h1.600M4.200 4.200l1.100 1.100M14.700 14.700l1.100 1.100M4.200 15.800l1.100-1.100M14.700 5.300l1.100-1.100',
  moon: 'M16.500 11.800A7 7 0 1 1 8.200 3.500a5.600 5.600 0 0 0 8.300 8.300z',
  curtain: 'M3 3h14M4.500 3v14c2.500-2 3.500-6 3.500-14M15.500 3v14C13 15 12 11 12 3',
  search: 'M8.500 3a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM12.600 12.600 17 17',
  at: 'M10 6.800a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400zM13.200 7v4.200c0 2.600 4 2.300 4-1.200a7.200 7.200 0 1 0-3 5.900',
  stop: 'M5.500 5.500h9v9h-9z',
  alert: 'M10 3 18 16.500H2zM10 8v4M10 14.200v.1',
  flag: 'M4.500 17.500V3M4.500 3.500h10l-2.500 3.500 2.500 3.500h-10',
  keyboard: 'M2.500 5.500h15v9h-15zM5.500 8.500v.1M8.500 8.500v.1M11.500 8.500v.1M14.500 8.500v.1M6.500 11.800h7',
}

export function icon(name) {
  const d = PATHS[name]
  return h('svg', { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true' }, h('path', { d }))
}

/** Somebody's picture: the first letters of his name on a colour of his own; the app has its sign. */
export function avatar(person, size = '') {
  if (person.bot) {
    return h('img', { class: `avatar ${size}`, src: '/page/gorkie.svg', alt: '' })
  }
  const letters = (person.real_name || person.name).split(/\s+/).map((word) => word[0]).slice(0, 2).join('')
  return h('span', { class: `avatar hue${hue(person.id)} ${size}`, 'aria-hidden': 'true' }, letters)
}

function hue(id) {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7) % 6
}
