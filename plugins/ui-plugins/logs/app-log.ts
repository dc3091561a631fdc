import type { Kernel, Paging, Principal } from 'agent-platform'
import { newId, pageOf } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Tools } from '../../tools/contract.ts'
import type { Connections } from '../connections/connections.ts'
import type { Installation } from '../contract.ts'
import type { AppLogLine, LogQuery } from '../schemas/logs.ts'
import type { AppService } from '../services/apps.ts'
import type { UiPluginSettings } from '../settings.ts'
import type { LogRow, LogStore } from '../stores/logs.ts'
import type { UsageStore } from '../stores/usage.ts'
import { createFlush } from './flush.ts'
import type { Meter } from './meter.ts'

export type AppLog = ReturnType<typeof createAppLog>

export type NewLine = Pick<AppLogLine, 'level' | 'kind' | 'source' | 'callerId' | 'text'> &
  Partial<Pick<AppLogLine, 'function' | 'method' | 'code'>>

const FLUSH_MS = 500
/** Rows of one statement. */
const BATCH = 500
/** Lines that wait to be written, of all apps. */
const MOST_WAITING = 10_000
const TEXT = 4_096
const MINUTE_MS = 60_000
const DAYS = 400
const levels = ['debug', 'info', 'warn', 'error'] as const

interface Waiting extends NewLine {
  readonly app: Installation
  readonly id: string
  readonly at: string
}
/** Lines of an app in the minute that began then. */
interface Minute {
  readonly began: number
  lines: number
  dropped: number
}

interface Deps extends Pick<Kernel, 'log'> {
  settings: UiPluginSettings
  tools: Tools | undefined
  appService: AppService
  connections: Connections
  logStore: LogStore
  usageStore: UsageStore
  meter: Meter
}

/** What apps write, are refused and fail at: so many lines a minute, written together, the newest kept. */
export function createAppLog(deps: Deps) {
  const { log, settings, tools, appService, connections, logStore, usageStore, meter } = deps
  let waiting: Waiting[] = []
  const minutes = new LRUCache<string, Minute>({ max: 10_000 })
  /** Lines since old ones were removed, by app. */
  const written = new LRUCache<string, number>({ max: 10_000 })
  const flush = createFlush(FLUSH_MS, log, insert)

  function write(app: Installation, line: NewLine): void {
    const now = Date.now()
    let minute = minutes.get(app.id)
    if (!minute || now - minute.began >= MINUTE_MS) {
      const dropped = minute?.dropped ?? 0
      minute = { began: now, lines: 0, dropped: 0 }
      minutes.set(app.id, minute)
      const text = `${dropped} lines of the minute before were left out`
      if (dropped > 0) push(app, { ...line, level: 'warn', kind: 'fault', text })
    }
    if (minute.lines >= settings.logLinesPerMinute || waiting.length >= MOST_WAITING) {
      minute.dropped++
      return
    }
    minute.lines++
    push(app, line)
  }

  function push(app: Installation, line: NewLine): void {
    waiting.push({ ...line, app, id: newId('app_log'), at: new Date().toISOString() })
    flush.soon()
  }

  async function insert(): Promise<void> {
    for (let batch = waiting.splice(0, BATCH); batch.length > 0; batch = waiting.splice(0, BATCH)) {
      try {
        await logStore.insert(await rowsOf(batch))
      } catch (error) {
        waiting = [...batch, ...waiting].slice(-MOST_WAITING)
        throw error
      }
      await prune(batch)
    }
  }

  async function rowsOf(batch: readonly Waiting[]): Promise<LogRow[]> {
    const redactors = new Map<string, ReturnType<Tools['redactor']> | undefined>()
    for (const { app } of batch)
      if (!redactors.has(app.id)) redactors.set(app.id, tools?.redactor(await connections.listSecrets(app)))
    const rows: LogRow[] = []
    for (const { app, id, at, text, ...line } of batch) {
      const clean = (await redactors.get(app.id)?.redactInTurns(text)) ?? text
      const { function: fn = null, method = null, code = null, ...rest } = line
      // A method is the app's own text, too; and what one app says is never the end of a batch, in which there are others' lines.
      const named = {
        function: fn && writable(fn),
        method: method && writable(method),
        code: code && writable(code)
      }
      const { project, owner, id: appId, version } = app
      rows.push({
        project,
        owner,
        appId,
        id,
        at,
        version,
        ...rest,
        ...named,
        text: writable(clean.slice(0, TEXT))
      })
    }
    return rows
  }

  /** Not at each insert: some more than are kept are there for a while. */
  async function prune(batch: readonly Waiting[]): Promise<void> {
    const apps = new Map(batch.map(({ app }) => [app.id, app]))
    for (const { id, project } of apps.values()) {
      const count = batch.filter(({ app }) => app.id === id).length + (written.get(id) ?? settings.logRows)
      const isDue = count >= settings.logRows / 10
      written.set(id, isDue ? 0 : count)
      if (isDue) await logStore.removeOld(project, id, settings.logRows)
    }
  }

  /** Who may change the app may read what it wrote for others, too. */
  async function list(by: Principal, pluginId: string, { level, since, ...page }: LogQuery) {
    const { id, project } = await appService.find(by, pluginId, 'change')
    await flush.now()
    const from = level && levels.slice(levels.indexOf(level))
    return logStore.list(project, id, page, { levels: from, since })
  }

  async function listUsage(by: Principal, pluginId: string, page: Paging) {
    const { id, project } = await appService.find(by, pluginId, 'change')
    await meter.flush()
    return pageOf('app_usage', await usageStore.list(project, id, DAYS), page)
  }

  return { write, list, listUsage, close: flush.close }
}

/** No text of PostgreSQL holds NUL; the other control characters have no meaning but to terminals. */
const writable = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').toWellFormed()
