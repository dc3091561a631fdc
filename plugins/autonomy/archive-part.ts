import { Closed } from 'agent-platform'
import type { Static } from 'typebox'
import type { ArchivePart } from '../archives/contract.ts'
import type { Models } from '../models/contract.ts'
import { settings, writable } from './schemas.ts'
import type { HeartbeatService } from './services/heartbeats.ts'
import type { HeartbeatStore } from './stores/heartbeats.ts'

interface Deps {
  models: Models
  heartbeatStore: HeartbeatStore
  heartbeatService: HeartbeatService
}

const Settings = Closed(settings)

/** Whether, when and how the agent beats; not how often it did. */
export function heartbeatPart({ models, heartbeatStore, heartbeatService }: Deps): ArchivePart {
  const isKnown = (provider: string) => {
    try {
      models.checkProvider(provider, '/model/modelProvider')
      return true
    } catch {
      return false
    }
  }
  return {
    version: 1,
    what: 'its heartbeat',
    records: { heartbeat: Settings },

    async *export({ agent: { project, id: agentId } }) {
      const row = await heartbeatStore.find({ project, agentId })
      if (!row || row.version === 0) return
      yield { kind: 'heartbeat', data: Object.fromEntries(writable.map((name) => [name, row[name]])) }
    },

    async examine({ lack }, records) {
      for await (const { data } of records) {
        const { model } = data as Static<typeof Settings>
        if (model && !isKnown(model.modelProvider))
          lack({ type: 'model', name: model.modelProvider, text: 'It beats with the model of the agent' })
      }
    },

    async import({ by, agentId, activate, idOf }, records) {
      for await (const { data } of records) {
        const { intervalMinutes, cronExpression, model, sessionId, enabled, ...same } = data as Static<
          typeof Settings
        >
        await heartbeatService.update(by, agentId, {
          ...same,
          ...(intervalMinutes === null ? { cronExpression } : { intervalMinutes }),
          model: model && isKnown(model.modelProvider) ? model : null,
          sessionId: idOf(sessionId) ?? null,
          enabled: enabled && activate
        })
      }
    }
  }
}
