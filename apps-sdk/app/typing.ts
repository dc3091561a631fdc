// What the compiler must refuse, and what it must know. `tsc` checks this file; nothing runs it.

import type { Context, StoredDocument } from 'agent-platform-app'
import { defineApp } from 'agent-platform-app'
import { Type } from 'typebox'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_same: Same<A, B>) => undefined

export default defineApp({
  manifest: {
    id: 'typed',
    name: 'Typed',
    version: '1.0.0',
    description: 'Is looked at by the compiler',
    capabilities: [
      { name: 'agents.read', reason: 'To read' },
      { name: 'made-later.stars.count', reason: 'To count' }
    ],
    egress: [{ host: 'api.weather.example', reason: 'To ask' }],
    connections: [
      { key: 'weather', name: 'Weather', hosts: ['api.weather.example'], auth: { type: 'bearer' } }
    ],
    functions: [
      {
        name: 'forecast',
        description: 'By a TypeBox type',
        input: Type.Object({ place: Type.String(), days: Type.Optional(Type.Integer()) }),
        output: Type.Object({ text: Type.String() })
      },
      {
        name: 'choose',
        description: 'By JSON Schema',
        input: {
          type: 'object',
          properties: { kind: { enum: ['rain', 'sun'] }, count: { type: 'integer' } },
          required: ['kind']
        }
      }
    ]
  },
  functions: {
    async forecast({ place, days }, { platform, storage, fetch, about }) {
      same<typeof place, string>(true)
      same<typeof days, number | undefined>(true)
      const agent = await platform.agents.read({ agentId: about.agentId ?? '' })
      same<typeof agent.name, string>(true)
      same<typeof agent.instructions, string | null>(true)
      const counted = await platform['made-later'].stars.count({ of: place })
      same<typeof counted, unknown>(true)
      const { items } = await storage.find({ collection: 'places', filter: { name: place } })
      same<typeof items, readonly StoredDocument[]>(true)
      await storage.list()
      await fetch('https://api.weather.example', { connection: 'weather' })
      // @ts-expect-error: there is no such connection
      await fetch('https://api.weather.example', { connection: 'other' })
      // @ts-expect-error: the manifest does not ask for it
      await platform.agents.list()
      // @ts-expect-error: it needs an agent
      await platform.agents.read()
      // @ts-expect-error: there is no such parameter
      await platform.agents.read({ agent: 'agent_1' })
      // @ts-expect-error: a value is missing
      await storage.set({ key: 'place' })
      // @ts-expect-error: there is no such method
      await storage.put({ key: 'place' })
      return { text: place }
    },
    choose({ kind, count }) {
      same<typeof kind, 'rain' | 'sun'>(true)
      same<typeof count, number | undefined>(true)
      return kind.length
    }
  }
})

const least = { id: 'least', name: 'Least', version: '1.0.0', description: 'Has one function' } as const
const input = { type: 'object', properties: {} } as const
const output = Type.Object({ text: Type.String() })
const functions = [{ name: 'tell', description: 'Tells', input, output }] as const

// @ts-expect-error: a function is missing
defineApp({ manifest: { ...least, functions }, functions: {} })
// @ts-expect-error: it gives something else
defineApp({ manifest: { ...least, functions }, functions: { tell: () => ({ text: 1 }) } })
// @ts-expect-error: it has no version
defineApp({ manifest: { id: 'least', name: 'Least', description: 'None' }, functions: {} })
defineApp({ manifest: { ...least, functions }, functions: { tell: async () => ({ text: '' }) } })

/** A part of an app that is typed on its own. */
export const nameOf = async ({ platform }: Context<'agents.read'>, agentId: string): Promise<string> =>
  (await platform.agents.read({ agentId })).name
