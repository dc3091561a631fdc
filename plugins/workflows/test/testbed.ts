import { join } from 'node:path'
import { Type } from 'typebox'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { connect } from '../../../test/frames.ts'
import type { ModelServer } from '../../../test/model-server.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import type { StaticTool } from '../../tools/contract.ts'
import type { StepKind } from '../contract.ts'
import type { Execution, ExecutionStep } from '../schemas/executions.ts'

export { scripted } from '../../../test/model-stage.ts'

type Scope = Parameters<typeof boot>[0]

/** What the pack `puppet` does: the tools `once` and `again`, of which the second may be called again, and steps of the types `once` and `again`. */
export interface Play {
  tool?: StaticTool['call']
  step?: StepKind['run']
}

const puppetText = packText(
  'puppet',
  `contributes: {
    'tools.static': ['once', 'again'].map((key) => ({
      key,
      make: () => ({
        description: 'Does it',
        parameters: { type: 'object' },
        idempotent: key === 'again',
        call: async (call) => play().tool(call)
      })
    })),
    'workflows.step': ['once', 'again'].map((key) => ({
      key,
      make: () => ({ config: play().config, idempotent: key === 'again', run: (step) => play().step(step) })
    }))
  }`,
  `const play = () => globalThis[Symbol.for('test.workflows.play')] ?? { config: { type: 'object' } }`
)

export interface Stage {
  readonly booted: Booted
  readonly server: ModelServer
  readonly ada: Client
  readonly play: Play
}

/** A platform that executes workflows, with a model's server for agents whose model is `scripted`. */
export async function stage(t: Scope, { env, ...options }: BootOptions = {}): Promise<Stage> {
  const server = await startModelServer(t)
  const folder = await temporaryFolder(t)
  await writeFiles(join(folder, 'puppet'), { 'pack.ts': puppetText })
  const config = Type.Object({ n: Type.Optional(Type.Integer()) })
  const play: Play & { config: typeof config } = { config }
  Object.assign(globalThis, { [Symbol.for('test.workflows.play')]: play })
  const booted = await boot(t, 'packs', 'workflows', 'puppet', {
    ...options,
    folders: [folder],
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }
  })
  return { booted, server, ada: booted.as('ada'), play }
}

/** An execution as it is answered with, and where. */
export type Shown = Execution & { readonly path: string }

/** A new workflow of these steps. */
export async function workflowOf(
  client: Client,
  steps: readonly object[],
  fields: object = {}
): Promise<string> {
  const { status, body } = await client.post('/v1/workflows', {
    name: 'Test',
    definition: { steps, ...fields }
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data.id
}

/** Executes a workflow. */
export async function execute(client: Client, workflowId: string, input?: unknown): Promise<Shown> {
  const { status, body } = await client.post(`/v1/workflows/${workflowId}/execute`, {
    ...(input !== undefined && { input })
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { ...body.data, path: `/v1/workflows/${workflowId}/executions/${body.data.id}` }
}

/** The execution once its stream has said so; the test's own timeout is the limit. */
export async function once(
  { booted }: Pick<Stage, 'booted'>,
  client: Client,
  { path }: Pick<Shown, 'path'>,
  is: (event: StreamedEvent) => boolean = isLast
): Promise<Shown> {
  await eventsUntil(booted, client, path, is)
  return { ...(await client.get(path)).body.data, path }
}

export interface StreamedEvent {
  readonly type: string
  readonly seq: number
  readonly status?: string
  readonly path?: string
  readonly [field: string]: unknown
}
export const isLast = ({ type }: StreamedEvent): boolean =>
  ['completed', 'failed', 'cancelled'].includes(type)

/** Events of its stream up to the first that is so. */
export async function eventsUntil(
  { url }: Pick<Booted, 'url'>,
  client: Client,
  path: string,
  is: (event: StreamedEvent) => boolean = isLast
): Promise<StreamedEvent[]> {
  const { frame, close } = await connect(`${url}${path}/stream`, {
    method: 'GET',
    headers: { authorization: `Bearer ${await client.key()}` }
  })
  const events: StreamedEvent[] = []
  for (let text = await frame(); text !== undefined; text = await frame()) {
    const event: StreamedEvent = JSON.parse(text.slice(text.indexOf('data: ') + 6))
    if (event.type !== 'keepalive') events.push(event)
    if (is(event)) break
  }
  close()
  return events
}

/** Executes these steps to their end. */
export async function executed(
  { booted, ada }: Pick<Stage, 'booted' | 'ada'>,
  steps: readonly object[],
  { input, ...fields }: { input?: unknown; output?: unknown } = {}
): Promise<Shown> {
  return once({ booted }, ada, await execute(ada, await workflowOf(ada, steps, fields), input))
}

export const stepOf = ({ steps }: Execution, path: string): ExecutionStep | undefined =>
  steps.find((step) => step.path === path)

/** `path status` of each of its steps. */
export const outline = ({ steps }: Execution): string[] =>
  steps.map(({ path, status }) => `${path} ${status}`)

export const waits = ({ type, status }: StreamedEvent): boolean => type === 'status' && status === 'waiting'

/** A step that evaluates. */
export const transform = (id: string, value: unknown, fields: object = {}): object => ({
  id,
  type: 'transform',
  config: { value },
  ...fields
})

/** Gives a tool to an agent. */
export async function assign(client: Client, { id }: { id: string }, toolId: string, fields: object = {}) {
  const { status, body } = await client.post(`/v1/agents/${id}/tools`, { toolId, ...fields })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
}
