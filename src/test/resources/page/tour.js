// The first-run tour.

export function tour() {
  return null
}
