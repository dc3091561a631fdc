import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Text = Type.String({ maxLength: 1_000 })
/** Fields of a pod that say where it runs and by what, and nothing of what it may. */
const Placement = Type.Object(
  {
    runtimeClassName: Type.Optional(Text),
    nodeSelector: Type.Optional(Type.Record(Type.String(), Text)),
    tolerations: Type.Optional(Type.Array(Type.Object({}), { maxItems: 100 })),
    affinity: Type.Optional(Type.Object({})),
    priorityClassName: Type.Optional(Text),
    schedulerName: Type.Optional(Text),
    imagePullSecrets: Type.Optional(
      Type.Array(Type.Object({ name: Text }, { additionalProperties: false }), { maxItems: 100 })
    ),
    hostUsers: Type.Optional(Type.Literal(false)),
    seccompProfile: Type.Optional(
      Type.Object(
        { type: Type.Literal('Localhost'), localhostProfile: Text },
        { additionalProperties: false }
      )
    )
  },
  { additionalProperties: false }
)
export type Placement = Static<typeof Placement>

/** As the setting has it, JSON; throws with what is wrong. */
export function placementOf(text: string): Placement {
  const wrong = (why: string) => new Error(`COMPUTERS_KUBERNETES_POD ${why}`)
  let value: unknown
  try {
    value = JSON.parse(text || '{}')
  } catch {
    throw wrong('is no JSON')
  }
  if (Value.Check(Placement, value)) return value
  const [first] = Value.Errors(Placement, value)
  throw wrong(
    `may have ${Object.keys(Placement.properties).join(', ')}: ${first?.instancePath ?? ''} ${first?.message ?? 'it is none'}`
  )
}
