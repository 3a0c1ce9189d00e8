// The screen is described anew each time and only what differs from the last description is touched, so focus,
// selection and scroll positions stay where they are. Text goes in as text: nothing here reads HTML.

const NONE = {}
const SVG = 'http://www.w3.org/2000/svg'
const PROPERTIES = new Set(['value', 'checked', 'disabled'])

/** A description of one element. Children may be nested lists; null, undefined and false are left out. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? NONE, kids: flat(children, []), key: props?.key, node: null }
}

/** Brings the inside of a host to what is described. */
export function draw(host, ...children) {
  const kids = flat(children, [])
  patchKids(host, host.drawn ?? [], kids, false)
  host.drawn = kids
}

function flat(children, into) {
  for (const child of children) {
    if (Array.isArray(child)) {
      flat(child, into)
    } else if (child !== null && child !== undefined && child !== false && child !== '') {
      into.push(typeof child === 'object' ? child : { text: String(child), node: null })
    }
  }
  return into
}

function create(v, svg) {
  if (v.text !== undefined) {
    return (v.node = document.createTextNode(v.text))
  }
  const inSvg = svg || v.tag === 'svg'
  const node = inSvg ? document.createElementNS(SVG, v.tag) : document.createElement(v.tag)
  v.node = node
  patchKids(node, [], v.kids, inSvg)
  patchProps(node, NONE, v.props)
  v.props.ref?.(node)
  return node
}

function patch(was, now, svg) {
  const node = was.node
  if (was === now) {
    return node
  }
  if (was.text !== undefined || now.text !== undefined || was.tag !== now.tag || was.key !== now.key) {
    if (was.text !== undefined && now.text !== undefined) {
      now.node = node
      if (was.text !== now.text) {
        node.data = now.text
      }
      return node
    }
    const fresh = create(now, svg)
    node.replaceWith(fresh)
    return fresh
  }
  now.node = node
  patchKids(node, was.kids, now.kids, svg || now.tag === 'svg')
  patchProps(node, was.props, now.props)
  return node
}

function patchKids(host, was, now, svg) {
  const left = new Map(identities(was))
  for (const [id, v] of identities(now)) {
    const old = left.get(id)
    if (old) {
      left.delete(id)
      patch(old, v, svg)
    } else {
      create(v, svg)
    }
  }
  for (const gone of left.values()) {
    gone.node.remove()
  }
  now.forEach((v, at) => {
    if (host.childNodes[at] !== v.node) {
      host.insertBefore(v.node, host.childNodes[at] ?? null)
    }
  })
}

// By its key, or as the first, second, third of its kind: what comes before a field must not take its focus away.
function identities(all) {
  const seen = new Map()
  return all.map((v) => {
    const kind = v.tag ?? 'text'
    if (v.key !== undefined) {
      return [`${kind} ${v.key}`, v]
    }
    const count = (seen.get(kind) ?? 0) + 1
    seen.set(kind, count)
    return [`${kind} #${count}`, v]
  })
}

function patchProps(node, was, now) {
  for (const name of Object.keys(was)) {
    if (!(name in now)) {
      set(node, name, was[name], undefined)
    }
  }
  for (const [name, value] of Object.entries(now)) {
    if (PROPERTIES.has(name) ? node[name] !== value : was[name] !== value) {
      set(node, name, was[name], value)
    }
  }
}

function set(node, name, was, value) {
  if (name === 'key' || name === 'ref') {
    return
  }
  if (name.startsWith('on')) {
    const event = name.slice(2)
    if (was) {
      node.removeEventListener(event, was)
    }
    if (value) {
      node.addEventListener(event, value)
    }
  } else if (name === 'vars') {
    // Not by the attribute, which the page's own policy forbids.
    for (const [property, setting] of Object.entries(value ?? NONE)) {
      node.style.setProperty(property, setting)
    }
  } else if (PROPERTIES.has(name)) {
    node[name] = value ?? ''
  } else if (value === undefined || value === null || value === false) {
    node.removeAttribute(name)
  } else {
    node.setAttribute(name, value === true ? '' : value)
  }
}
