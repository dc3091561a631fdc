import { Changes, Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const host = '(?:\\*|(?:\\*\\.)?[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?)(?::[1-9]\\d{0,4})?'
const size = {
  vcpu: Type.Number({ minimum: 0.1, maximum: 256, description: 'Processors; a fraction is a share of one' }),
  memoryMb: Type.Integer({ minimum: 128, maximum: 1_048_576, description: 'Of all that runs in it' }),
  storageMb: Type.Integer({ minimum: 16, maximum: 16_777_216, description: 'Of its home' }),
  gpu: Type.Integer({ minimum: 0, maximum: 16, description: 'GPUs, where the provider has some' })
}
export const ComputerConfig = Type.Object(
  {
    agentId: Type.String(),
    owner: Type.String(),
    enabled: Type.Boolean({ description: 'While it is not, the computer is off, and its files stay' }),
    provider: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', examples: ['bubblewrap'] }),
    image: OrNull(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'What it is made of, beside its home, where the provider takes images; null: the one of the deployment. 400 `image_not_offered` names those that there are'
      })
    ),
    ...size,
    allowedHosts: Type.Array(Type.String({ pattern: `^${host}$`, maxLength: 260 }), {
      maxItems: 200,
      uniqueItems: true,
      description:
        'What it may reach: `example.com`, `*.example.com` (what lies below it), `example.com:8443`, or `*`. Without a port: 80 and 443. Never what only this machine or its network reaches',
      examples: [['registry.npmjs.org', '*.github.com']]
    }),
    idleSeconds: Type.Integer({
      minimum: 5,
      maximum: 86_400,
      description: 'Without an order, after which it sleeps: what runs in the background then ends'
    }),
    version: Type.Integer({ description: 'Counts edits, 0 before the first; the ETag' }),
    createdAt: OrNull(Time),
    updatedAt: OrNull(Time)
  },
  { title: 'ComputerConfig' }
)
export const states = ['off', 'asleep', 'waking', 'awake', 'sleeping', 'failed'] as const
export const Computer = Type.Object(
  {
    id: OrNull(
      Type.String({
        description: 'Null before it is configured',
        examples: ['computer_01k4qz0000e0080000000000ab']
      })
    ),
    agentId: Type.String(),
    owner: Type.String(),
    state: Type.Enum([...states]),
    desired: Type.Enum(['off', 'asleep', 'awake'], { description: 'What was asked for last' }),
    reason: OrNull(
      Type.String({
        description: 'Why it is in that state, where nobody asked for it: a code',
        maxLength: 500
      })
    ),
    provider: Type.String(),
    image: OrNull(Type.String()),
    capabilities: OrNull(
      Type.Object(
        {
          isolation: Type.Enum(['namespaces', 'container', 'machine']),
          network: Type.Boolean(),
          gpu: Type.Boolean(),
          snapshot: Type.Boolean()
        },
        { description: 'Null where there is no such provider here' }
      )
    ),
    ...size,
    storageBytes: Type.Integer({ description: 'Taken when it fell asleep last' }),
    memoryBytes: OrNull(Type.Integer({ description: 'While it is awake on the instance that answers' })),
    wokeAt: OrNull(Time),
    changedAt: OrNull(Time)
  },
  { title: 'Computer' }
)
export const writable = [
  'enabled',
  'provider',
  'image',
  'vcpu',
  'memoryMb',
  'storageMb',
  'gpu',
  'allowedHosts',
  'idleSeconds'
] as const
export const ComputerConfigChanges = Changes(ComputerConfig, writable)
const ComputerSize = Type.Object(Type.Partial(Type.Object(size)).properties, {
  title: 'ComputerSize',
  additionalProperties: false,
  minProperties: 1,
  examples: [{ vcpu: 2, memoryMb: 2_048 }]
})

export type Computer = Static<typeof Computer>
export type ComputerConfig = Static<typeof ComputerConfig>
export type ComputerConfigChanges = Static<typeof ComputerConfigChanges>
export type ComputerSize = Static<typeof ComputerSize>
export type ComputerDefaults = Pick<ComputerConfig, (typeof writable)[number]>

/** Before the first edit. */
export const defaults: ComputerDefaults = {
  enabled: false,
  provider: 'bubblewrap',
  image: null,
  vcpu: 1,
  memoryMb: 1_024,
  storageMb: 1_024,
  gpu: 0,
  allowedHosts: [],
  idleSeconds: 300
}

export const tags = ['computers']
export const params = Type.Object({ agentId: Type.String() })
const off =
  '409 `computer_off` while it is not enabled. 503 `capability_missing` says what to install where none of its kind works here.'

export const readComputer = {
  tags,
  summary: 'Get the computer of an agent',
  params,
  response: { 200: Data(Computer) }
}
export const readConfig = {
  tags,
  summary: 'Get the configuration of a computer',
  description: 'Before the first edit: the defaults, and `enabled` is false.',
  params,
  response: { 200: Data(ComputerConfig) }
}
export const updateConfig = {
  tags,
  summary: 'Enable, disable or change a computer',
  description:
    'What it may reach holds at once, its size when it wakes next; disabled, it is off at once, and keeps its files.',
  params,
  body: Type.Object(ComputerConfigChanges.properties, {
    title: 'ComputerConfigChanges',
    additionalProperties: false,
    examples: [{ enabled: true, allowedHosts: ['registry.npmjs.org'] }]
  }),
  response: { 200: Data(ComputerConfig) }
}
export const wakeComputer = {
  tags,
  summary: 'Wake a computer',
  description: `Answers when it is awake. Whatever needs it wakes it, too. ${off}`,
  params,
  response: { 200: Data(Computer), 409: {}, 503: {} }
}
export const sleepComputer = {
  tags,
  summary: 'Put a computer to sleep',
  description: 'Ends what runs in it; its files stay.',
  params,
  response: { 200: Data(Computer), 409: {} }
}
export const restartComputer = {
  tags,
  summary: 'Restart a computer',
  description: `Ends what runs in it, and wakes it. ${off}`,
  params,
  response: { 200: Data(Computer), 409: {}, 503: {} }
}
export const resizeComputer = {
  tags,
  summary: 'Resize a computer',
  description:
    'Restarts it where it is awake. 400 `size_not_offered` for what its provider, this machine or this deployment does not give, with what it does.',
  params,
  body: ComputerSize,
  response: { 200: Data(Computer), 409: {}, 503: {} }
}
