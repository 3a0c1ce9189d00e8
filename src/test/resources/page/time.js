// When something was said, in the words of whoever reads it.

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

export const date = (ts) => new Date(Number(ts) * 1_000)
export const time = (ts) => clock.format(date(ts))
export const exactly = (ts) => exact.format(date(ts))
export const dayKey = (ts) => date(ts).toDateString()

export function dayName(ts) {
  const now = new Date()
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (dayKey(ts) === now.toDateString()) {
    return 'Today'
  }
  return dayKey(ts) === yesterday.toDateString() ? 'Yesterday' : day.format(date(ts))
}

export function ago(ts) {
  const minutes = Math.floor((Date.now() - date(ts)) / 60_000)
  if (minutes < 1) {
    return 'just now'
  }
  if (minutes < 60) {
    return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
  }
  return `${dayName(ts).toLowerCase()} at ${time(ts)}`
}
