import { readFile } from 'node:fs/promises'
import type { Kernel } from 'agent-platform'
import type { Retrieval } from '../../../plugins/retrieval/contract.ts'
import { papers, platform } from '../../../plugins/retrieval/test/testbed.ts'
import type { Booted } from '../../boot.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'

const DIMENSIONS = 512
const PAGE = 1_000
const REACH_MS = 60
const REACH_MB = 300
const MODEL = 'offline/universal-sentence-encoder-lite'
const WORDS = 5_000

/** Documents, and questions about each that share few words with it. */
async function questions() {
  const text = await readFile(new URL('../questions.txt', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n\n')
    .map((block, at) => {
      const [document = '', ...asked] = block.split('\n')
      return { id: `d${at}`, text: document, asked: asked.map((line) => line.slice(2)) }
    })
}

/** How often the right document is found by both lists, and by full text alone. */
async function quality(booted: Booted): Promise<Row> {
  const { put, embedded, search } = papers(booted, 'quality')
  const all = await questions()
  for (let at = 0; at < all.length; at += 10)
    await put(...all.slice(at, at + 10).map(({ id, text }) => ({ id, scope: 'a', text })))
  await embedded(...all.map(({ id }) => id))
  const hits = { hybrid: [0, 0], text: [0, 0] }
  let count = 0
  for (const { id, asked } of all)
    for (const question of asked) {
      count++
      const found = await search(question, ['a'], { limit: 200 })
      const place = found.findIndex((hit) => hit.id === id) + 1
      const text = found.find((hit) => hit.id === id)?.why.text?.rank ?? 0
      for (const [at, most] of [1, 5].entries()) {
        if (place > 0 && place <= most) hits.hybrid[at] = (hits.hybrid[at] ?? 0) + 1
        if (text > 0 && text <= most) hits.text[at] = (hits.text[at] ?? 0) + 1
      }
    }
  const [one = 0, five = 0] = hits.hybrid
  const [textOne = 0, textFive = 0] = hits.text
  const part = (number: number) => (number / count).toFixed(2)
  return {
    what: `${count} questions about ${all.length} documents that share few words with them: hit@1 / hit@5`,
    reach: 'better than full text alone on both',
    measured: `${part(one)} / ${part(five)} (full text alone ${part(textOne)} / ${part(textFive)})`,
    met: one > textOne && five > textFive
  }
}

/** Entries with vectors that stand for nothing: the time does not depend on them. */
async function fill(booted: Booted, project: string, count: number): Promise<void> {
  const pack = booted.platform.server.current().packs.get('retrieval')
  const { transaction, retrieval } = (pack as { deps: unknown }).deps as Kernel & { retrieval: Retrieval }
  const words = () => `w${Math.floor(Math.random() * WORDS)}`
  for (let first = 0; first < count; first += PAGE) {
    const entries = Array.from({ length: PAGE }, (_, at) => ({
      id: `m${first + at}`,
      scope: 'a',
      text: `The memory ${first + at} is about ${words()}, ${words()}, ${words()} and ${words()}`
    }))
    await transaction(async (trx) => {
      await retrieval.put(trx, { project, owner: 'user_bench' }, 'papers.paper', entries)
      const { rows } = await trx.raw(
        `update retrieval.entry set model = ? where project = ? and model is null returning number`,
        [MODEL, project]
      )
      const vectors = rows.map(({ number }: { number: string }) => [number, vector()])
      await trx.raw(
        `insert into retrieval.vector (project, number, model, collection, scope, numbers)
          select ?, number, ?, 'papers.paper', 'a', numbers
          from unnest(?::bigint[], ?::bytea[]) as it(number, numbers)`,
        [
          project,
          MODEL,
          vectors.map(([number]: [string]) => number),
          vectors.map((it: [string, Buffer]) => it[1])
        ]
      )
    })
  }
}

function vector(): Buffer {
  const numbers = Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5)
  const length = Math.hypot(...numbers)
  return Buffer.from(numbers.map((number) => number / length).buffer)
}

/** Searches of one scope with so many entries, warm. */
async function speed(booted: Booted, quick: boolean): Promise<Row> {
  const count = quick ? 20_000 : 100_000
  const { put, embedded, search } = papers(booted, 'speed')
  await fill(booted, 'speed', count)
  await booted.platform.knex.raw('analyze retrieval.entry, retrieval.vector')
  await put({ id: 'last', scope: 'a', text: 'The harbour freezes in winter' })
  await embedded('last')
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const begun = performance.now()
  const [found] = await search('ice in the port', ['a'])
  const first = performance.now() - begun
  const memory = (process.memoryUsage().rss - before) / 1e6
  if (found?.id !== 'last') throw new Error('The entry that was put last was not found')
  const times: number[] = []
  for (let round = 0; round < (quick ? 40 : 200); round++) {
    const begin = performance.now()
    await search(`what do I know of w${round * 7} and w${round * 11}`, ['a'])
    times.push(performance.now() - begin)
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] as number
  return {
    what: `search of ${count} entries of ${DIMENSIONS} dimensions in one scope, in memory: p95 warm, with the vector of the question / memory`,
    reach: `≤ ${REACH_MS} ms / ≤ ${REACH_MB} MB`,
    measured: `${p95.toFixed(0)} ms (p50 ${median(times).toFixed(0)} ms, the first ${(first / 1_000).toFixed(1)} s) / ${memory.toFixed(0)} MB`,
    met: p95 <= REACH_MS && memory <= REACH_MB
  }
}

export const measure: Measure = async (scope, quick) => {
  const booted = await platform(scope)
  return [await quality(booted), await speed(booted, quick)]
}
