import type { Kernel } from 'agent-platform'
import { invalid, notFound } from 'agent-platform'
import { Value } from 'typebox/value'
import type { ChannelKind, ChannelSetup } from '../kinds/kind.ts'
import type { ChannelRow } from '../store.ts'

export type Kinds = ReturnType<typeof createKinds>

/** Services by which people talk to agents, and what channels of them are set to. */
export function createKinds({ points, vault }: Pick<Kernel, 'points' | 'vault'>) {
  const sealing = vault.at('channels.channel', 'sealed')
  return {
    find(name: string): ChannelKind {
      const found = points.all('channels.kind').find(({ key }) => key === name)
      if (!found) throw notFound('Channel')
      return found.value
    },

    /** What was given for `connect`, apart; 400 for what the kind does not know. */
    read({ config, secrets }: ChannelKind, given: Record<string, unknown>): ChannelSetup {
      const name = (schema: typeof config) => Object.keys(schema.properties)
      const unknown = Object.keys(given).find((it) => ![...name(config), ...name(secrets)].includes(it))
      if (unknown !== undefined) throw invalid(`/${unknown}`, `/${unknown} is not known here`)
      const part = (schema: typeof config) => {
        const value = Object.fromEntries(
          name(schema).flatMap((it) => (given[it] === undefined ? [] : [[it, given[it]]]))
        )
        const [error] = Value.Errors(schema, value)
        if (!error) return value
        const missing = (error as { params?: { requiredProperties?: string[] } }).params
          ?.requiredProperties?.[0]
        const at = error.instancePath || `/${missing ?? ''}`
        throw invalid(at, `${at} ${error.message}`)
      }
      return { config: part(config), secrets: part(secrets) as Record<string, string> }
    },

    seal: (project: string, id: string, secrets: ChannelSetup['secrets']): Promise<string> =>
      sealing.seal(project, id, JSON.stringify(secrets)),
    async open({ project, id, config, sealed }: ChannelRow): Promise<ChannelSetup> {
      return { config, secrets: sealed === null ? {} : JSON.parse(await sealing.open(project, id, sealed)) }
    }
  }
}
