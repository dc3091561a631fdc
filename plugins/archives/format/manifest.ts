import { Closed, compileSchema, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Need, PackName, Sha256 } from '../schemas/report.ts'

export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'signature.json'
export const pathOfPart = (pack: string): string => `parts/${pack}.jsonl`
export const pathOfBlob = (sha256: string): string => `blobs/${sha256}`

const size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Part = Closed({
  pack: PackName,
  version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  records: size,
  size,
  sha256: Sha256
})
const Manifest = Closed({
  format: Type.Literal('agent-platform-archive'),
  version: Type.Literal(1),
  madeAt: Time,
  platform: Type.String({ maxLength: 100 }),
  issuer: Type.String({ maxLength: 2_000 }),
  agentName: Type.String({ minLength: 1, maxLength: 200 }),
  parts: Type.Array(Part, { minItems: 1, maxItems: 1_000 }),
  blobs: Type.Array(Closed({ sha256: Sha256, size }), { maxItems: 100_000 }),
  needs: Type.Array(Closed(Need.properties), { maxItems: 10_000 }),
  leftOut: Type.Array(PackName, { maxItems: 1_000 })
})
export type Manifest = Static<typeof Manifest>
export const checkManifest = compileSchema(Manifest)

/** What an archive with that manifest consists of, in the order in which it lies there. */
export const pathsOf = ({ parts, blobs }: Manifest): string[] => [
  ...parts.map(({ pack }) => pathOfPart(pack)),
  ...blobs.map(({ sha256 }) => pathOfBlob(sha256)),
  MANIFEST
]
