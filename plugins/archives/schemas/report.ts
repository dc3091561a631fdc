import { OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const text = (maxLength: number, description: string) => Type.String({ maxLength, description })

export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
export const PackName = Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$', examples: ['memory'] })

/** What has to be given again, as it is a secret, or a person's. */
export const Need = Type.Object(
  {
    pack: PackName,
    type: text(64, 'Such as `key`, `connection`, `credential`'),
    name: text(300, 'What it is for'),
    text: text(500, 'What to do')
  },
  { title: 'ArchiveNeed' }
)
export const Lack = Type.Object(
  {
    pack: PackName,
    type: text(64, 'Such as `tool`, `model`, `agent`'),
    name: text(300, 'As the archive calls it'),
    text: text(500, 'What comes of it')
  },
  { title: 'ArchiveLack' }
)
const ReportPart = Type.Object(
  {
    pack: PackName,
    what: OrNull(Type.String({ description: 'Null for a pack that is not here' })),
    records: Type.Integer(),
    skipped: OrNull(
      Type.Enum(['not_mounted', 'newer_version', 'not_allowed'], {
        description:
          '`not_mounted`: no pack here reads it; `newer_version`: the one here is too old; `not_allowed`: the credential lacks its scope'
      })
    )
  },
  { title: 'ArchiveReportPart' }
)
const Signature = Type.Object(
  {
    status: Type.Enum(['trusted', 'unknown', 'none'], {
      description: '`unknown`: right, by a key that nobody here vouched for'
    }),
    keyId: OrNull(Type.String({ description: 'SHA-256 of the public key (DER), in hex' })),
    issuer: OrNull(Type.String({ description: 'The platform that says that it made it' }))
  },
  { title: 'ArchiveSignature' }
)
export const Report = Type.Object(
  {
    agentName: Type.String(),
    madeAt: Time,
    signature: Signature,
    parts: Type.Array(ReportPart, { description: 'What would be made of it' }),
    lacks: Type.Array(Lack, { description: 'What it counts on that is not here' }),
    needs: Type.Array(Need, { description: 'What is in no archive and has to be given again' }),
    leftOut: Type.Array(PackName, {
      description: 'Packs whose part was not asked for, or not to be had, when it was made'
    })
  },
  { title: 'ArchiveReport' }
)
export const Trouble = Type.Object(
  { code: Type.String(), message: Type.String() },
  { title: 'ArchiveTrouble' }
)

export type Need = Static<typeof Need>
export type Lack = Static<typeof Lack>
export type Report = Static<typeof Report>
export type Trouble = Static<typeof Trouble>
