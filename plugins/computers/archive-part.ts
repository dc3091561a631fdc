import { Closed } from 'agent-platform'
import type { Static } from 'typebox'
import type { ArchivePart } from '../archives/contract.ts'
import { HOME_PART } from './home-part.ts'
import { ComputerConfig, writable } from './schemas/computers.ts'
import type { ComputerService } from './services/computers.ts'
import type { Providers } from './services/providers.ts'
import type { ComputerStore } from './stores/computers.ts'

interface Deps {
  computerStore: ComputerStore
  computerService: ComputerService
  providers: Providers
}

const {
  agentId: _,
  owner: __,
  version: ___,
  createdAt: ____,
  updatedAt: _____,
  ...fields
} = ComputerConfig.properties
const Config = Closed(fields)

/** How the computer of the agent is configured; its files are a part of their own. */
export function computerPart({ computerStore, computerService, providers }: Deps): ArchivePart {
  return {
    version: 1,
    what: 'how its computer is configured',
    records: { computer: Config },

    async *export({ agent: { project, id: agentId }, include, need }) {
      const row = await computerStore.find({ project, agentId })
      if (!row) return
      if (!include.includes(HOME_PART))
        need({
          type: 'files',
          name: HOME_PART,
          text: 'The files of its computer, which go along when they are asked for'
        })
      yield { kind: 'computer', data: Object.fromEntries(writable.map((name) => [name, row[name]])) }
    },

    async examine({ lack }, records) {
      for await (const { data } of records) {
        const { provider } = data as Static<typeof Config>
        if (!providers.find(provider))
          lack({
            type: 'provider',
            name: provider,
            text: 'No provider of computers of that name: it has none'
          })
      }
    },

    async import({ by, agentId, activate }, records) {
      for await (const { data } of records) {
        const config = data as Static<typeof Config>
        if (!providers.find(config.provider)) continue
        await computerService.updateConfig(by, agentId, { ...config, enabled: config.enabled && activate })
      }
    }
  }
}
