import type { ObservabilitySettings } from './settings.ts'
import type { EventStore } from './stores/events.ts'
import type { UsageStore } from './stores/usage.ts'

interface Deps {
  settings: ObservabilitySettings
  usageStore: UsageStore
  eventStore: EventStore
}

const BATCH = 1_000
const DAY_MS = 86_400_000

/** What is older than the settings say goes, some at a time. */
export function createRemovals({ settings, usageStore, eventStore }: Deps) {
  return {
    async work(): Promise<void> {
      const before = (days: number) => new Date(Date.now() - days * DAY_MS)
      while ((await usageStore.removeOld(before(settings.callDays), BATCH)) === BATCH);
      while ((await eventStore.removeOld(before(settings.eventDays), BATCH)) === BATCH);
    }
  }
}
