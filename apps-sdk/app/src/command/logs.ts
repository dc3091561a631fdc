import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Schemas } from 'agent-platform-client'

type Line = Schemas['AppLogLine']

interface LogsOptions {
  readonly platform: Client
  readonly signal: AbortSignal
  /** The id of the app, as it is now. */
  pluginId(): string
  print(line: string): void
}

const EVERY_MS = 1_000
/** What an instance writes may be there later than newer lines of another one. */
const LATE_MS = 5_000
/** Lines that are read at a time; of more, the newest. At first those are enough that may have come just before. */
const MOST = 1_000
const MOST_AT_FIRST = 200

/**
 * Prints what an app writes, is refused and fails at from now on, until the signal. Resolves when it is known what was there
 * before. That nothing can be read is said once, until it can be again.
 */
export async function followLogs({ platform, signal, pluginId, print }: LogsOptions): Promise<void> {
  let known: { readonly id: string; readonly lines: readonly Line[] } | undefined
  let isFailing = false

  async function read(): Promise<void> {
    const id = pluginId()
    const last = known?.id === id ? known.lines : undefined
    const lines = await linesOf(id, last)
    known = { id, lines: lines.length > 0 ? lines : (last ?? []) }
    const seen = new Set(last?.map((line) => line.id))
    if (last) for (const line of [...lines].reverse()) if (!seen.has(line.id)) print(wordsOf(line))
  }

  /** The newest first, and of those that were read before the last ones again. */
  async function linesOf(id: string, last: readonly Line[] | undefined): Promise<Line[]> {
    const newest = last?.[0]
    const since = newest && new Date(Date.parse(newest.at) - LATE_MS).toISOString()
    const params = { path: { pluginId: id }, query: { limit: 100, ...(since && { since }) } }
    const lines: Line[] = []
    for await (const line of platform.list('/v1/ui-plugins/{pluginId}/logs', { params, signal })) {
      lines.push(line)
      if (lines.length >= (last ? MOST : MOST_AT_FIRST)) break
    }
    return lines
  }

  async function tryToRead(): Promise<void> {
    try {
      await read()
      isFailing = false
    } catch (error) {
      if (signal.aborted || isFailing) return
      isFailing = true
      print(`its log cannot be read: ${visible((error as Error).message)}`)
    }
  }

  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await tryToRead()
    }
  }

  await tryToRead()
  void goOn()
}

/** Where an app breaks a line, the rest is marked, so that none looks like one of the command or of another time. */
export function wordsOf({ at, level, source, function: fn, method, code, text }: Line): string {
  const time = new Date(at).toTimeString().slice(0, 8)
  const about = [fn ?? source, method, code].filter((it) => it !== null).join(' ')
  const said = text.split(/\r?\n/).map(visible).join('\n    | ')
  return `${time} ${level.padEnd(5)} ${visible(about)}: ${said}`
}

/** Characters that a terminal obeys, or that show text otherwise than it is, as their numbers. */
const visible = (text: string): string =>
  text.replaceAll(
    /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (it) => `\\u{${it.codePointAt(0)?.toString(16)}}`
  )
