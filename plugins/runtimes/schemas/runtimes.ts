import { Changes, Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const variable = '^(?!AGENT_PLATFORM_|LD_|NODE_OPTIONS$)[A-Za-z_][A-Za-z0-9_]{0,99}$'
const text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

const Process = Type.Object(
  {
    id: Type.String({ examples: ['process_01k4qz0000e0080000000000ab'] }),
    deployment: Type.Integer(),
    state: Type.Enum(['starting', 'ready', 'draining', 'ended']),
    createdAt: Time,
    readyAt: OrNull(Time),
    lastSeenAt: OrNull(Time),
    endedAt: OrNull(Time),
    exitCode: OrNull(Type.Integer()),
    signal: OrNull(Type.String()),
    reason: OrNull(Type.String({ description: 'Why it ended' })),
    output: Type.String({
      description: 'The last that it wrote, without its secrets; while it runs, on its instance alone'
    })
  },
  { title: 'RuntimeProcess' }
)
export const Runtime = Type.Object(
  {
    id: OrNull(
      Type.String({
        description: 'Null before it is configured',
        examples: ['runtime_01k4qz0000e0080000000000ab']
      })
    ),
    agentId: Type.String(),
    owner: Type.String(),
    provider: OrNull(
      Type.String({
        pattern: '^[a-z][a-z0-9-]{0,39}$',
        description: 'Of computers, that it runs in; null: as the computer of the agent is'
      })
    ),
    image: OrNull(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'That the computer is made of, where the provider takes images; null: as the computer of the agent is. 400 `image_not_offered` tells what there is'
      })
    ),
    command: OrNull(
      Type.Array(text(4_000), {
        minItems: 1,
        maxItems: 100,
        description: 'Program and arguments',
        examples: [['node', 'runtime.mjs']]
      })
    ),
    cwd: Type.String({
      minLength: 1,
      maxLength: 1_000,
      pattern: '^[^\\u0000]*$',
      description: 'Absolute, or below the home of the computer'
    }),
    env: Type.Record(Type.String({ pattern: variable }), text(8_192), {
      maxProperties: 100,
      additionalProperties: false,
      description: 'Variables that everybody who may read the runtime may see'
    }),
    secretNames: Type.Array(Type.String(), { description: 'Variables whose values are not shown' }),
    minInstances: Type.Integer({ minimum: 0, maximum: 1, description: '0: it sleeps when it is not needed' }),
    idleSeconds: Type.Integer({
      minimum: 5,
      maximum: 86_400,
      description: 'Without a turn, after which it sleeps'
    }),
    status: Type.Object(
      {
        desired: Type.Enum(['off', 'asleep', 'awake']),
        observed: Type.Enum(['off', 'asleep', 'starting', 'awake', 'failed']),
        capabilities: Type.Array(Type.String(), { description: 'As the runtime says itself' }),
        lastSeen: OrNull(Time),
        reason: OrNull(Type.String({ description: 'Why it is not as desired' }))
      },
      { title: 'RuntimeStatus' }
    ),
    deployment: Type.Integer({
      description: 'Counts deployments: the one that serves; 0: none, and the native loop does'
    }),
    deployedAt: OrNull(Time),
    processes: Type.Array(Process, { description: 'The latest five, the newest first' }),
    version: Type.Integer({ description: 'Counts edits, 0 before the first; the ETag' }),
    createdAt: OrNull(Time),
    updatedAt: OrNull(Time)
  },
  { title: 'Runtime' }
)
export const writable = ['provider', 'image', 'command', 'cwd', 'env', 'minInstances', 'idleSeconds'] as const
const secrets = Type.Optional(
  Type.Record(
    Type.String({ pattern: variable }),
    OrNull(Type.String({ minLength: 1, maxLength: 8_192, pattern: '^[^\\u0000]*$' })),
    {
      maxProperties: 50,
      additionalProperties: false,
      writeOnly: true,
      description:
        'Variables whose values are sealed and never shown again; null takes one away, those that are left out stay'
    }
  )
)
export const RuntimeChanges = Type.Object(
  { ...Changes(Runtime, writable).properties, secrets },
  {
    title: 'RuntimeChanges',
    additionalProperties: false,
    examples: [{ command: ['node', 'runtime.mjs'], secrets: { MODEL_KEY: 'sk-…' } }]
  }
)

export type Runtime = Static<typeof Runtime>
export type RuntimeProcess = Static<typeof Process>
export type RuntimeChanges = Static<typeof RuntimeChanges>

export const tags = ['runtimes']
export const params = Type.Object({ agentId: Type.String() })
const data = { 200: Data(Runtime) }
const lacking =
  '503 `capability_missing` says what to install where no computers work here: nothing runs unconfined.'

export const readRuntime = {
  tags,
  summary: 'Runtime status and capabilities',
  description: 'Before the first edit: the defaults, and nothing is deployed.',
  params,
  response: data
}
export const configureRuntime = {
  tags,
  summary: 'Configure the runtime',
  description:
    'Holds from the next deployment, but for `minInstances` and `idleSeconds`, which hold at once.',
  params,
  body: RuntimeChanges,
  response: data
}
export const deployRuntime = {
  tags,
  summary: 'Deploy or redeploy',
  description: `Enables the computer of the agent, and starts the program in it, beside the one before, which goes on until the new one is ready. ${lacking}`,
  params,
  response: { ...data, 409: {}, 503: {} }
}
export const sleepRuntime = {
  tags,
  summary: 'Scale to zero',
  description: 'Ends the program and revokes its credentials; the next message wakes it.',
  params,
  response: { ...data, 409: {} }
}
export const restartRuntime = {
  tags,
  summary: 'Restart the container',
  description: `Ends the program and starts it again, without a pause after failures. ${lacking}`,
  params,
  response: { ...data, 409: {}, 503: {} }
}
