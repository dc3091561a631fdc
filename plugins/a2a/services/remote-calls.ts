import type { Message, Part, StreamResponse, Task } from '@a2a-js/sdk'
import { Role, TaskState, taskStateToJSON } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { Kernel } from 'agent-platform'
import { upstreamFailed } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Call, InjectedKey, KindTool, Output, ToolKind } from '../../tools/contract.ts'
import { remotes } from '../schemas/remotes.ts'
import type { RemoteClients } from './remote-client.ts'
import { keepFiles } from './remote-files.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  files: Files | undefined
  remoteClients: RemoteClients
}

interface Args {
  readonly message: string
  readonly data?: object
  readonly contextId?: string
  readonly taskId?: string
}

/** What is known of a task elsewhere. */
interface Known {
  taskId: string
  contextId: string
  state: TaskState
  /** What it says of its state. */
  says: string
  readonly artifacts: Map<string, Part[]>
}

const CANCEL_MS = 5_000
const RESUMES = 3
const MOST_PARTS = 10_000
const OVER = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
  TaskState.TASK_STATE_AUTH_REQUIRED
])
const FAILED = new Set([
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED
])

/** How agents elsewhere are called: what they say on the way is progress, and a call that is given up cancels the task. */
export function createRemoteKind({ knex, files, remoteClients }: Deps): ToolKind {
  async function call(tool: KindTool, call: Call, keys: readonly InjectedKey[]): Promise<Output> {
    const remote = await remotes.find(knex, String(tool.config.remoteId))
    if (remote?.project !== tool.project)
      return { output: 'The agent is not registered any more', isError: true }
    const client = await remoteClients.open(remote, keys, call.secret)
    const known: Known = {
      taskId: '',
      contextId: '',
      state: TaskState.TASK_STATE_UNSPECIFIED,
      says: '',
      artifacts: new Map()
    }
    try {
      await follow(client, known, call)
    } catch (error) {
      if (call.signal.aborted) await cancel(client, known, call.signal.reason)
      throw call.signal.aborted || 'kind' in (error as object) ? error : failureOf(remote.name, error)
    }
    return outputOf(known, call)
  }

  async function follow(client: Client, known: Known, call: Call): Promise<void> {
    const { signal } = call
    const params = { tenant: '', message: messageOf(call), configuration: undefined, metadata: undefined }
    let events = client.sendMessageStream(params, { signal })
    for (let resumes = 0; ; resumes++) {
      try {
        for await (const event of events) take(known, event, call)
        if (OVER.has(known.state) || known.taskId === '') return
      } catch (error) {
        const mayGoOn = known.taskId !== '' && resumes < RESUMES && !signal.aborted
        if (!mayGoOn) throw error
      }
      if (resumes >= RESUMES) throw upstreamFailed('The agent broke off before its task had ended')
      const task = await client.getTask({ tenant: '', id: known.taskId, historyLength: 0 }, { signal })
      takeTask(known, task)
      if (OVER.has(known.state)) return
      events = client.resubscribeTask({ tenant: '', id: known.taskId }, { signal })
    }
  }

  /** Nobody waits for what it still does. A run that goes on in another process is not given up. */
  async function cancel(client: Client, { taskId, state }: Known, reason: unknown): Promise<void> {
    const isHandedOver = (reason as { code?: unknown } | null)?.code === 'handed_over'
    if (taskId === '' || OVER.has(state) || isHandedOver) return
    const params = { tenant: '', id: taskId, metadata: undefined }
    await client.cancelTask(params, { signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => undefined)
  }

  async function outputOf(known: Known, call: Call): Promise<Output> {
    const { taskId, contextId, state, says } = known
    const parts = [...known.artifacts.values()].flat()
    const text = parts.map(textOf).join('')
    const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
    const given = await keepFiles(files, parts, call)
    const output = {
      ...(taskId && { taskId }),
      ...(contextId && { contextId }),
      state: taskStateToJSON(state).replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
      text: text || says,
      ...(says && text && { says }),
      ...(data.length > 0 && { data }),
      ...(given.length > 0 && { files: given })
    }
    return { output, ...(FAILED.has(state) && { isError: true }) }
  }

  return { call }
}

const textOf = ({ content }: Part): string => (content?.$case === 'text' ? content.value : '')
const part = (content: Part['content']): Part => ({
  content,
  metadata: undefined,
  filename: '',
  mediaType: ''
})

/** A call that is made again is the same message, which an agent may know. */
function messageOf({ id, args }: Call): Message {
  const { message, data, contextId = '', taskId = '' } = args as unknown as Args
  return {
    messageId: id,
    contextId,
    taskId,
    role: Role.ROLE_USER,
    parts: [part({ $case: 'text', value: message }), ...(data ? [part({ $case: 'data', value: data })] : [])],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: []
  }
}

function take(known: Known, { payload }: StreamResponse, { progress }: Call): void {
  switch (payload?.$case) {
    case 'task':
      takeTask(known, payload.value)
      return
    case 'message':
      known.state = TaskState.TASK_STATE_COMPLETED
      known.contextId = payload.value.contextId
      known.artifacts.set('', [...payload.value.parts])
      return
    case 'statusUpdate': {
      const { taskId, contextId, status } = payload.value
      Object.assign(known, { taskId: taskId || known.taskId, contextId: contextId || known.contextId })
      if (!status) return
      known.state = status.state
      known.says = status.message?.parts.map(textOf).join('') ?? ''
      if (known.says) progress(`${known.says}\n`)
      return
    }
    case 'artifactUpdate': {
      const { taskId, contextId, artifact, append } = payload.value
      Object.assign(known, { taskId: taskId || known.taskId, contextId: contextId || known.contextId })
      if (!artifact) return
      const before = append ? known.artifacts.get(artifact.artifactId) : undefined
      if (!before) known.artifacts.set(artifact.artifactId, [...artifact.parts])
      // In place, and no call of its own with each as an argument: an agent may send a part at a time, or very many.
      else for (const part of artifact.parts) before.push(part)
      if ((before?.length ?? artifact.parts.length) > MOST_PARTS)
        throw upstreamFailed(`An artifact has more than ${MOST_PARTS} parts`)
      const said = artifact.parts.map(textOf).join('')
      if (said) progress(said)
    }
  }
}

function takeTask(known: Known, { id, contextId, status, artifacts }: Task): void {
  Object.assign(known, { taskId: id, contextId })
  if (status) {
    known.state = status.state
    known.says = status.message?.parts.map(textOf).join('') ?? ''
  }
  for (const { artifactId, parts } of artifacts) known.artifacts.set(artifactId, [...parts])
}

/** What an agent says of a failure is for the model that called it, within bounds. */
function failureOf(name: string, error: unknown): Error {
  const said = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 300) : ''
  return upstreamFailed(`${name} could not be given the task: ${said}`)
}
