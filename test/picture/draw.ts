/** A pack as a box of the picture. */
export interface PackBox {
  readonly name: string
  readonly area: string
}

const WIDTH = 880
const EDGE = 24
const BOX = { width: 116, height: 34, gap: 10 }
const LABEL = 116

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const text = (x: number, y: number, words: string, kind: string): string =>
  `  <text x="${x}" y="${y}" class="${kind}">${escaped(words)}</text>`
const box = (x: number, y: number, width: number, height: number, kind: string): string =>
  `  <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" class="${kind}"/>`

/** A band over the whole width: what it is on the left, what it does beside it. */
const band = (y: number, kind: string, title: string, words: string): readonly string[] => [
  box(EDGE, y, WIDTH - 2 * EDGE, 44, kind),
  text(EDGE + 16, y + 27, title, `title ${kind}-text`),
  text(EDGE + LABEL + 16, y + 27, words, `words ${kind}-text`)
]

/** One area: its packs side by side, in as many rows as they need. */
function areaOf(y: number, area: string, names: readonly string[]): { lines: string[]; height: number } {
  const perRow = Math.floor((WIDTH - 2 * EDGE - LABEL - 16) / (BOX.width + BOX.gap))
  const lines = [text(EDGE + 16, y + 22, area, 'title')]
  for (const [index, name] of names.entries()) {
    const x = EDGE + LABEL + 16 + (index % perRow) * (BOX.width + BOX.gap)
    const top = y + Math.floor(index / perRow) * (BOX.height + BOX.gap)
    lines.push(box(x, top, BOX.width, BOX.height, 'pack'))
    lines.push(text(x + BOX.width / 2, top + 22, name, 'name'))
  }
  return { lines, height: Math.ceil(names.length / perRow) * (BOX.height + BOX.gap) }
}

const style = `
    text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24303c }
    .title { font-weight: 600 }
    .words { font-size: 13px }
    .name { text-anchor: middle; font-size: 13px }
    .note { text-anchor: middle; font-size: 12px; fill: #66737f }
    .callers { fill: #d8dee4 } .kernel { fill: #2f4858 } .storage { fill: #8a9a5b }
    .kernel-text, .storage-text { fill: #ffffff }
    .packs { fill: #f6f3ec; stroke: #c9c2b2 }
    .pack { fill: #ffffff; stroke: #c9a227; stroke-width: 1.5 }
    .paper { fill: #ffffff }`

/** The architecture as SVG: callers, the gateway, each area with its packs, the rest of the kernel, storage. */
export function pictureOf(packs: readonly PackBox[]): string {
  const areas = [...Map.groupBy(packs, ({ area }) => area)].sort(([a], [b]) => a.localeCompare(b))
  const lines: string[] = []
  let y = EDGE
  lines.push(
    ...band(y, 'callers', 'Callers', 'curl · browsers · agent-platform-client · the operator’s command line')
  )
  y += 58
  lines.push(
    ...band(y, 'kernel', 'Gateway', 'who asks · scopes · limits · validation · repeated requests · errors')
  )
  y += 58
  const inside: string[] = []
  let below = y + 16
  for (const [area, inArea] of areas) {
    const { lines: drawn, height } = areaOf(below, area, inArea.map(({ name }) => name).sort())
    inside.push(...drawn)
    below += height + 8
  }
  lines.push(box(EDGE, y, WIDTH - 2 * EDGE, below - y + 22, 'packs'), ...inside)
  lines.push(
    text(
      WIDTH / 2,
      below + 10,
      'each box a pack: enabled, changed and upgraded while the platform serves',
      'note'
    )
  )
  y = below + 36
  lines.push(
    ...band(
      y,
      'kernel',
      'Kernel',
      'lifecycle of packs · facts and signals · durable streams · sealed secrets · database'
    )
  )
  y += 58
  lines.push(...band(y, 'storage', 'Storage', 'PostgreSQL, embedded or your own · Redis, if you like'))
  y += 44 + EDGE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="Architecture: callers, gateway, packs by area, kernel, PostgreSQL and Redis">
  <style>${style}
  </style>
${box(0, 0, WIDTH, y, 'paper')}
${lines.join('\n')}
</svg>
`
}
