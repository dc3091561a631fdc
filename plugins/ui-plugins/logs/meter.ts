import type { Kernel, Principal, Usage } from 'agent-platform'
import { exhausted } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Installation } from '../contract.ts'
import type { UiPluginSettings } from '../settings.ts'
import type { Amounts, UsageStore } from '../stores/usage.ts'
import { amountNames, noAmounts } from '../stores/usage.ts'
import { createFlush } from './flush.ts'

export type Meter = ReturnType<typeof createMeter>

/** What one user used of an app in a day, since it was last written. */
interface Counted {
  readonly project: string
  readonly appId: string
  readonly pluginId: string
  readonly day: string
  readonly by: Principal
  amounts: Amounts
}

/** For whom an app uses something; `used` is told of it, too. */
interface User {
  readonly by: Principal
  readonly used?: ((more: Partial<Amounts>) => void) | undefined
}

const FLUSH_MS = 2_000

interface Deps extends Pick<Kernel, 'log' | 'facts'> {
  settings: UiPluginSettings
  usageStore: UsageStore
}

/** What apps use up, by app and day, and told to billing, by whom it was used: in memory first, written together. */
export function createMeter({ log, facts, settings, usageStore }: Deps) {
  const caps: Partial<Amounts> = {
    calls: settings.dailyCalls,
    cpuMs: settings.dailyCpuMs,
    egressBytes: settings.dailyEgressBytes
  }
  const hasCaps = Object.values(caps).some((most) => most > 0)
  let noted = new Map<string, Counted>()
  /** Of the day, on all instances as far as they wrote it, by app. */
  const spent = new LRUCache<string, { readonly day: string; readonly amounts: Amounts }>({ max: 10_000 })
  const flush = createFlush(FLUSH_MS, log, write)

  function add({ project, id: appId, pluginId }: Installation, { by, used }: User, more: Partial<Amounts>) {
    used?.(more)
    const day = today()
    const place = JSON.stringify([project, appId, by.owner, day])
    const counted = noted.get(place)
    if (counted) counted.amounts = sumOf(counted.amounts, more)
    else noted.set(place, { project, appId, pluginId, day, by, amounts: sumOf(noAmounts, more) })
    const known = spent.get(appId)
    if (known?.day === day) spent.set(appId, { day, amounts: sumOf(known.amounts, more) })
    flush.soon()
  }

  async function write(): Promise<void> {
    const counted = [...noted.values()]
    noted = new Map()
    if (counted.length === 0) return
    const told = counted.map(({ project: _, appId, pluginId, day, by, amounts }) => ({
      name: 'ui-plugins.metered' as const,
      by,
      subject: appId,
      owner: by.owner,
      data: { id: appId, pluginId, day, ...amounts },
      usage: usageOf(amounts)
    }))
    try {
      const totals = await usageStore.take(counted, facts.rows(told))
      facts.recorded(told)
      for (const { appId, day, amounts } of totals)
        spent.set(appId, { day, amounts: sumOf(amounts, since(appId, day)) })
    } catch (error) {
      for (const it of counted) restore(it)
      throw error
    }
  }

  /** What was noted meanwhile. */
  const since = (appId: string, day: string): Amounts =>
    [...noted.values()]
      .filter((it) => it.appId === appId && it.day === day)
      .reduce((sum, { amounts }) => sumOf(sum, amounts), noAmounts)

  function restore(counted: Counted): void {
    const place = JSON.stringify([counted.project, counted.appId, counted.by.owner, counted.day])
    const later = noted.get(place)
    noted.set(place, later ? { ...later, amounts: sumOf(later.amounts, counted.amounts) } : counted)
  }

  /** 429 `app_budget_exceeded` where the app has used up what it may in a day, where the operator says how much that is. */
  async function admit({ project, id: appId }: Installation): Promise<void> {
    if (!hasCaps) return
    const day = today()
    let known = spent.get(appId)
    if (known?.day !== day) {
      known = {
        day,
        amounts: sumOf((await usageStore.find(project, appId, day)) ?? noAmounts, since(appId, day))
      }
      spent.set(appId, known)
    }
    for (const [name, most = 0] of Object.entries(caps) as [keyof Amounts, number | undefined][])
      if (most > 0 && known.amounts[name] >= most)
        throw exhausted(`The app has used up its ${name} of the day`, { code: 'app_budget_exceeded' })
  }

  return { add, admit, flush: flush.now, close: flush.close }
}

const today = () => new Date().toISOString().slice(0, 10)

export const usageOf = (amounts: Amounts): Usage[] =>
  amountNames
    .filter((name) => amounts[name] > 0)
    .map((name) => ({ meter: `app.${name}`, quantity: String(Math.round(amounts[name] * 1_000) / 1_000) }))

export function sumOf(some: Amounts, more: Partial<Amounts>): Amounts {
  const { calls, functionCalls, cpuMs, characters, egressCalls, egressBytes } = some
  return {
    calls: calls + (more.calls ?? 0),
    functionCalls: functionCalls + (more.functionCalls ?? 0),
    cpuMs: cpuMs + (more.cpuMs ?? 0),
    characters: characters + (more.characters ?? 0),
    egressCalls: egressCalls + (more.egressCalls ?? 0),
    egressBytes: egressBytes + (more.egressBytes ?? 0)
  }
}
