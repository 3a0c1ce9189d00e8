// One Slack has several workspaces: the first one's addresses begin at the root, another's with its id.

export const base = /^\/T[A-Z0-9]+(?=\/)/.exec(location.pathname)?.[0] ?? ''
