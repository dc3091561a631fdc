import { OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const AuditEntry = Type.Object(
  {
    seq: Type.Integer({ description: 'From 1 on, without gaps' }),
    project: OrNull(Type.String({ description: "Null for what is the platform's" })),
    owner: Type.String(),
    type: Type.String({ examples: ['access.key_created', 'packs.configured'] }),
    actor: Type.String({ description: 'Who did it; `platform` for what an instance did by itself' }),
    subject: Type.String({ description: 'What it was done to' }),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'Never a secret' }),
    at: Time,
    previous: sha256('`hash` of the entry before; zeros before the first one'),
    hash: sha256('SHA-256 of the canonical JSON (RFC 8785) of all other fields')
  },
  { title: 'AuditEntry' }
)
const AuditQuery = Type.Object({
  ...Paging,
  type: Type.Optional(Type.String({ maxLength: 100 })),
  actor: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Included' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Not included' }))
})
export type AuditQuery = Static<typeof AuditQuery>

export const listAudit = {
  tags: ['observability'],
  summary: 'Audit log (admin)',
  description:
    'Administrative acts of the whole platform, the latest first, each chained to the one before by its hash. `platform audit verify` checks the chain.',
  querystring: AuditQuery,
  response: { 200: Page(AuditEntry) }
}
