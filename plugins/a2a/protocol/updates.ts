import type { StreamEvent, View } from 'agent-platform'
import type { State } from '../schemas/tasks.ts'
import type { Dialect } from './dialects.ts'
import type { Part } from './parts.ts'
import type { TaskView } from './tasks.ts'
import { ARTIFACT, artifactOf, FILES, questionOf, shownArtifact, shownStatus, shownTask } from './tasks.ts'

/** What an event of a run says of the task that it is. */
interface Update {
  readonly state?: State
  readonly says?: readonly Part[]
  /** Text of the answer, added to what there is, or in its place. */
  readonly text?: string
  readonly append?: boolean
  readonly isWhole?: boolean
  /** Nothing comes of itself any more: it has ended, or waits. */
  readonly isResting?: boolean
}

interface Event extends StreamEvent {
  readonly content?: string
  readonly status?: string
  readonly message?: string
}

/**
 * Makes updates of a task of the events of its run. Text that turns out to be none of the answer is taken back at once, and
 * where the text was not all seen the end has it whole: so what a reader has at the end is the answer, however often it
 * was cut off.
 */
function createUpdates(isFromStart: boolean) {
  let text: string | undefined = isFromStart ? '' : undefined
  let asked: Part[] = []
  let isWorking = false

  function takeBack(): Update {
    const had = text !== ''
    text = ''
    return had ? { text: '', append: false } : {}
  }

  function ended(content: string): Update {
    const isSeen = text === content
    return {
      state: 'completed',
      isResting: true,
      ...(!isSeen && { text: content, append: false, isWhole: true })
    }
  }

  return (event: Event): Update => {
    const { type, status } = event
    if (type === 'run_started') return { state: 'submitted' }
    if (type === 'token') {
      const append = text !== ''
      if (text !== undefined) text += event.content
      return { text: event.content ?? '', append }
    }
    if (type === 'final') return ended(event.content ?? '')
    if (type === 'error') return { state: 'failed', says: [{ text: event.message ?? '' }], isResting: true }
    if (type === 'cancelled') return { state: 'canceled', isResting: true }
    if (type === 'approval_request' || type === 'elicitation_request') {
      const what = type === 'approval_request' ? 'approval' : 'elicitation'
      asked.push(...questionOf([{ ...event, for: what } as never]))
      return {}
    }
    if (status === 'waiting') {
      const says = asked
      asked = []
      return { state: 'input-required', says, isResting: true }
    }
    if (status === 'commentary' || status === 'restarted') return takeBack()
    if (isWorking || status === 'queued') return {}
    isWorking = true
    return { state: 'working' }
  }
}

type About = Pick<TaskView, 'id' | 'contextId'>
/** What was made on the way, once the task is completed. */
type FilesAtEnd = () => Promise<readonly Part[]>

/** Frames of `GET …/tasks/:taskId/stream`: one for each event, with its `seq`. */
export function plainView({ id: taskId, contextId }: About, after: number, filesAtEnd: FilesAtEnd): View {
  const updateOf = createUpdates(after < 0)
  let state: State = after < 0 ? 'submitted' : 'working'
  return {
    show(event) {
      const { seq } = event
      const update = updateOf(event)
      state = update.state ?? (state === 'input-required' ? 'working' : state)
      const { text, append, says } = update
      const artifact = text === undefined ? undefined : { artifactId: ARTIFACT, append, parts: [{ text }] }
      if (artifact && update.state === undefined)
        return [{ type: 'artifact', taskId, contextId, seq, ...artifact }]
      const more = { ...(says?.length && { parts: says }), ...(artifact && { artifact }) }
      const frame = { type: 'status', taskId, contextId, seq, state, ...more }
      if (update.state !== 'completed') return [frame]
      return filesAtEnd().then((files) => [{ ...frame, ...(files.length > 0 && { files }) }])
    },
    keepalive: (seq) => ({ type: 'keepalive', taskId, seq })
  }
}

/** Frames of a JSON-RPC reply, of which the first is the task, until it has ended or waits. */
export function rpcView(
  dialect: Dialect,
  id: unknown,
  task: TaskView,
  after: number,
  takesJson: boolean,
  filesAtEnd: FilesAtEnd
): View {
  const updateOf = createUpdates(after < 0)
  let isFirst = dialect !== '0.2'
  let isResting = false
  const reply = (result: object) => ({ jsonrpc: '2.0', id, result })
  return {
    show(event) {
      const update = updateOf(event)
      isResting = update.isResting ?? false
      const frames: object[] = []
      if (isFirst) frames.push(taskFrame(dialect, task))
      if (update.text !== undefined) frames.push(answerFrame(dialect, task, update, takesJson))
      const status =
        update.state === undefined || (isFirst && !isResting) ? [] : [statusFrame(dialect, task, update)]
      isFirst = false
      if (update.state !== 'completed') return [...frames, ...status].map(reply)
      return filesAtEnd().then((files) =>
        [...frames, ...(files.length > 0 ? [filesFrame(dialect, task, files)] : []), ...status].map(reply)
      )
    },
    isLast: () => isResting
  }
}

const taskFrame = (dialect: Dialect, task: TaskView): object =>
  dialect === '1.0' ? { task: shownTask(dialect, task) } : shownTask(dialect, task)

function statusFrame(dialect: Dialect, { id, contextId }: About, update: Update): object {
  const { state = 'working', says = [], isResting = false } = update
  const status = shownStatus(dialect, { id, contextId, state, says })
  if (dialect === '1.0') return { statusUpdate: { taskId: id, contextId, status } }
  if (dialect === '0.3') return { kind: 'status-update', taskId: id, contextId, status, final: isResting }
  return { type: 'taskStatusUpdate', id, status, final: isResting }
}

function answerFrame(
  dialect: Dialect,
  task: About,
  { text = '', append = false, isWhole = false }: Update,
  takesJson: boolean
): object {
  const parts = isWhole ? artifactOf(text, takesJson) : [{ text }]
  return artifactFrame(dialect, task, parts, { append, lastChunk: isWhole }, ARTIFACT)
}

const filesFrame = (dialect: Dialect, task: About, files: readonly Part[]): object =>
  artifactFrame(dialect, task, files, { append: false, lastChunk: true }, FILES)

function artifactFrame(
  dialect: Dialect,
  { id, contextId }: About,
  parts: readonly Part[],
  flags: { append: boolean; lastChunk: boolean },
  name: string
): object {
  if (dialect === '0.2')
    return { type: 'taskArtifactUpdate', id, artifact: shownArtifact(dialect, parts, flags, name) }
  const artifact = shownArtifact(dialect, parts, {}, name)
  const of = { taskId: id, contextId, artifact, ...flags }
  return dialect === '1.0' ? { artifactUpdate: of } : { kind: 'artifact-update', ...of }
}
