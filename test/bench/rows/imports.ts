import { setTimeout as delay } from 'node:timers/promises'
import type { Packed } from '../../archives.ts'
import { zipOf } from '../../archives.ts'
import { database } from '../../database.ts'
import { startPlatform } from '../platform.ts'
import { median } from '../rounds.ts'
import type { Measure } from '../row.ts'

const FILES = 1_000
const REACH = 30
const VECTORS_REACH = 300
const MOST_SECONDS = 1_800
const PACKS = ['access', 'agents', 'outgoing', 'jobs', 'models', 'embeddings', 'retrieval', 'knowledge']
const WORDS = 'harbour lantern granite meadow copper violin glacier orchard saddle thunder'.split(' ')

/** Pages in folders, of about 1,500 characters under three headings; each links to the next one and to another. */
function pages(round: number): Packed[] {
  const page = (n: number) => {
    const words = (from: number) =>
      Array.from({ length: 60 }, (_, at) => WORDS[(n * 7 + from + at * (1 + (n % 9))) % WORDS.length]).join(
        ' '
      )
    const links = `See [[page-${(n + 1) % FILES}]] and [another](../f${(n * 3) % 20}/page-${(n * 3) % FILES}.md).`
    return `# Page ${n} of ${round}\n\n${words(0)} marker${n}\n\n## Then\n\n${words(3)}\n\n## Links\n\n${words(5)}\n\n${links}\n`
  }
  return Array.from({ length: FILES }, (_, n) => ({ name: `f${n % 20}/page-${n}.md`, content: page(n) }))
}

/** Markdown into a space, as one archive: until it is linked and found by its words; the first time also until it is found by its vectors. */
export const measure: Measure = async (scope, quick) => {
  const { connection, knex } = await database(scope)
  const { url, key } = await startPlatform(scope, {}, { packs: PACKS, connection })
  const api = async (path: string, body?: Buffer | object) => {
    const type = Buffer.isBuffer(body) ? 'application/zip' : 'application/json'
    const reply = await fetch(url + path, {
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) },
      ...(body && {
        method: 'POST',
        body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body)
      })
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    return JSON.parse(text).data
  }
  const found: number[] = []
  let [steps, vectors] = [0, 0]
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const archive = zipOf(pages(round))
    const { id } = await api('/v1/knowledge', { name: `Round ${round}` })
    const begun = performance.now()
    const seconds = () => (performance.now() - begun) / 1_000
    let now = await api(`/v1/knowledge/${id}/import`, archive)
    const seen = new Set<number>()
    while (now.status === 'running') {
      await delay(20)
      now = await api(`/v1/knowledge/${id}/imports/${now.id}`)
      seen.add(now.created)
    }
    if (now.created !== FILES) throw new Error(`The import ended with ${JSON.stringify(now)}`)
    const { unresolved } = await api(`/v1/knowledge/${id}/graph?limit=1`)
    const [hit] = await api(`/v1/knowledge/${id}/search?query=marker${FILES - 1}`)
    if (unresolved.length > 0 || !hit?.path.endsWith(`/page-${FILES - 1}.md`))
      throw new Error(`Not linked, or not found: ${JSON.stringify({ unresolved, hit })}`)
    found.push(seconds())
    steps = seen.size
    if (round > 0) continue
    const waiting = () => knex('retrieval.entry').whereNull('model').first('entry')
    while ((await waiting()) && seconds() < MOST_SECONDS) await delay(500)
    vectors = seconds()
  }
  const taken = median(found)
  return [
    {
      what: `${FILES} Markdown files imported, linked, found by their words`,
      reach: `≤ ${REACH} s, with progress`,
      measured: `${taken.toFixed(1)} s (${steps} steps of progress seen)`,
      met: taken <= REACH && steps > 2
    },
    {
      what: `the same: until each of their passages has its vector (once)`,
      reach: `≤ ${VECTORS_REACH} s`,
      measured: vectors < MOST_SECONDS ? `${vectors.toFixed(0)} s` : `not after ${MOST_SECONDS} s`,
      met: vectors <= VECTORS_REACH
    }
  ]
}
