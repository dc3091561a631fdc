import { Pool } from 'undici'
import type { Spread, StreamsOrder, StreamsResult } from '../callers.ts'
import { monotonic } from '../callers.ts'
import { answer } from './answers.ts'
import type { Frame } from './frames.ts'
import { createFrames, wholeFrames } from './frames.ts'

interface To {
  readonly url: string
  readonly key?: string
}
interface Reading {
  data(bytes: Buffer): void
  /** Without an error: the server has ended it. */
  end(error?: Error): void
}
const pools = new Map<string, Pool>()

/** Sends a request whose reply is read piece by piece; gives a way to leave it. */
function open({ url, key }: To, path: string, body: object | undefined, { data, end }: Reading) {
  let pool = pools.get(url)
  if (!pool) pools.set(url, (pool = new Pool(url, { connections: 512, bodyTimeout: 0 })))
  let leave: (() => void) | undefined
  let refused = ''
  pool.dispatch(
    {
      path,
      method: body ? 'POST' : 'GET',
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' })
      },
      body: body && JSON.stringify(body)
    },
    {
      onRequestStart(controller) {
        leave = () => controller.abort(new Error('Left'))
      },
      onResponseStart(_, status) {
        if (status !== 200) refused = `${path} ${status} `
      },
      onResponseData(_, bytes) {
        if (refused) refused += bytes.toString()
        else data(bytes)
      },
      onResponseEnd: () => end(refused ? new Error(refused) : undefined),
      onResponseError: (_, error) => end(error)
    }
  )
  return () => leave?.()
}

interface Read {
  readonly sentAt: number
  readonly endedAt: number
  readonly frames: readonly Frame[]
}

/** Only keeps what comes and when: it is looked at when nothing is measured any more. */
function read(to: To, path: string, body?: object): Promise<() => Read> {
  return new Promise((resolve, reject) => {
    const pieces: { at: number; bytes: Buffer }[] = []
    const sentAt = monotonic()
    open(to, path, body, {
      data: (bytes) => void pieces.push({ at: monotonic(), bytes }),
      end(error) {
        if (error) return reject(error)
        const endedAt = monotonic()
        resolve(() => ({ sentAt, endedAt, frames: wholeFrames(pieces) }))
      }
    })
  })
}

function spread(micros: readonly number[]): Spread {
  const sorted = micros.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1_000
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
}

async function streams({ path, body, count, connections, ...to }: StreamsOrder): Promise<StreamsResult> {
  const reads: (() => Read)[] = []
  let left = count
  const work = async () => {
    while (left-- > 0) reads.push(await read(to, path, body))
  }
  const startedAt = monotonic()
  await Promise.all(Array.from({ length: connections }, work))
  const ms = (monotonic() - startedAt) / 1_000

  const first: number[] = []
  const whole: number[] = []
  const lags: number[] = []
  let events = 0
  let tokens = 0
  for (const { sentAt, endedAt, frames } of reads.map((it) => it())) {
    whole.push(endedAt - sentAt)
    events += frames.length
    const said = frames.find(({ words }) => words.length > 0)
    if (said) first.push(said.at - sentAt)
    for (const { at, words } of frames)
      for (const word of words) {
        tokens++
        if (word !== 'tok') lags.push(at - Number(word))
      }
  }
  return { ms, events, tokens, first: spread(first), whole: spread(whole), lag: spread(lags) }
}

function begin({ body, ...to }: To & { readonly body: object }): Promise<string> {
  return new Promise((resolve, reject) => {
    const frames = createFrames()
    const leave = open(to, '/v1/agents/run/stream', body, {
      data(bytes) {
        const [first] = frames.take(bytes, 0)
        if (!first) return
        resolve(String(first.event.runId))
        leave()
      },
      end: (error) => reject(error ?? new Error('A run ended before it began'))
    })
  })
}

let following: Promise<readonly Frame[]>[] = []

async function follow({ runs, events, ...to }: To & { readonly runs: readonly string[]; events: number }) {
  const begun: Promise<void>[] = []
  following = runs.map((run) => {
    const enough = Promise.withResolvers<void>()
    begun.push(enough.promise)
    return new Promise((resolve, reject) => {
      const frames = createFrames()
      const came: Frame[] = []
      open(to, `/v1/agents/runs/${run}/stream`, undefined, {
        data(bytes) {
          came.push(...frames.take(bytes, monotonic()))
          if (came.length >= events) enough.resolve()
        },
        end(error) {
          if (error) reject(error)
          else resolve(came)
          enough.resolve()
        }
      })
    })
  })
  for (const it of following) it.catch(() => undefined)
  await Promise.all(begun)
}

const followed = async () =>
  (await Promise.all(following)).map((frames) => frames.map(({ at, event }) => ({ at, event })))

answer({ start() {}, streams, begin, follow, followed })
