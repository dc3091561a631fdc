import { Changes, OrNull, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Amount, Shown } from './amount.ts'

const id = Type.String({ maxLength: 128 })

const common = {
  id: Type.String(),
  owner: Type.String(),
  agentId: OrNull(Type.String({ maxLength: 128, description: 'What this agent spends; null: any' })),
  sessionId: OrNull(Type.String({ maxLength: 128, description: 'What is spent in this session; null: any' })),
  token: OrNull(
    Type.String({
      description: 'What tokens with that block spend, which says so itself; null: of any credential'
    })
  ),
  period: Type.Enum(['day', 'month', 'total'], { description: 'Days and months are those of UTC' })
}
const times = {
  version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
  createdAt: Time,
  updatedAt: Time
}
export const Cap = Type.Object(
  {
    ...common,
    limit: Amount('What may be spent in the period'),
    spent: Shown('What was spent in the one that is now'),
    reserved: Shown('What runs under way may still spend'),
    ...times
  },
  { title: 'SpendCap' }
)
export type Cap = Static<typeof Cap>

/** Amounts are texts of millionths. */
const Stored = Type.Object(
  {
    ...common,
    limit: Type.String(),
    spent: Type.String(),
    reserved: Type.String(),
    window: Type.String(),
    told: Type.Integer(),
    ...times
  },
  { title: 'SpendCap' }
)
export type StoredCap = Static<typeof Stored>
export const caps = table('credits.cap', Stored)

export const NewCap = Type.Object(
  {
    agentId: Type.Optional(id),
    sessionId: Type.Optional(id),
    period: common.period,
    limit: Amount('What may be spent in the period; zero: nothing')
  },
  { title: 'NewSpendCap', additionalProperties: false }
)
export type NewCap = Static<typeof NewCap>
export const CapChanges = Changes(Cap, ['limit'])
export type CapChanges = Static<typeof CapChanges>
export const CapQuery = Type.Object({ ...Paging, agentId: Type.Optional(id), sessionId: Type.Optional(id) })
export type CapQuery = Static<typeof CapQuery>
