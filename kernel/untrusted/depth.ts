/** How many arrays and objects lie in one another in a value, or something above `most`: no further is looked. */
export function depthOf(value: unknown, most: number): number {
  let level = [value]
  for (let depth = 0; ; depth++) {
    const next: unknown[] = []
    for (const it of level)
      if (typeof it === 'object' && it !== null) for (const part of Object.values(it)) next.push(part)
    if (next.length === 0 || depth > most) return depth
    level = next
  }
}
