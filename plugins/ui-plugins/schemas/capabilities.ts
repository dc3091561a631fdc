import { OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const CapabilityEntry = Type.Object(
  {
    name: Type.String({ examples: ['agents.read'] }),
    pack: Type.String({ description: 'That offers it' }),
    title: Type.String(),
    description: Type.String(),
    risk: Type.Enum(['low', 'medium', 'high']),
    reaches: Type.String({ description: 'What a person agrees to, in plain words' }),
    narrowedTo: OrNull(
      Type.Enum(['agents', 'spaces'], {
        description: 'What a grant of it may name; null: it is granted as a whole'
      })
    ),
    scope: Type.Array(Type.String(), {
      description: 'The credential of the caller for whom the app acts has to have one of them; none: any'
    }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' }),
    result: OrNull(Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' })),
    idempotent: Type.Boolean({ description: 'Whether it may be called again after a fault' })
  },
  { title: 'AppCapability' }
)
export type CapabilityEntry = Static<typeof CapabilityEntry>

export const listCapabilities = {
  tags: ['ui-plugins'],
  summary: 'List what apps may use of the platform',
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(CapabilityEntry) }
}
