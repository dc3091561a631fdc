import type { Kernel, Principal } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Run, Runs, SettledRun } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Part } from '../protocol/parts.ts'
import type { Said, TaskView } from '../protocol/tasks.ts'
import { artifactOf, questionOf, stateOf } from '../protocol/tasks.ts'
import type { PeerTaskRow } from '../stores/tasks.ts'

export type TaskViews = ReturnType<typeof createTaskViews>

interface Deps extends Pick<Kernel, 'log' | 'platform'> {
  files: Files | undefined
  runs: Runs
  sessions: Sessions
}

const MOST_FILES = 50
/** Messages of a task, at most. */
export const MOST_HISTORY = 100
/** Of all files of one reply, however many tasks it has. */
const INLINE_BYTES = 4_194_304

/** What a reply may still have of files as they are, in bytes. */
export interface Room {
  bytes: number
}
export const wholeRoom = (): Room => ({ bytes: INLINE_BYTES })

/** Left out where it is not known. */
type Told = Run & Partial<Pick<SettledRun, 'hasCalled'>>

/** At once: as it is. */
const now = AbortSignal.abort()

/** Tasks as they are told: what their runs say. */
export function createTaskViews({ log, platform, files, runs, sessions }: Deps) {
  const addressOf = (fileId: string) => `${platform.baseUrl}/v1/files/${fileId}/content`

  /** Undefined where its run has not begun. */
  const outcomeOf = (row: PeerTaskRow, by: Principal): Promise<SettledRun | undefined> =>
    runs.settled(by, row.id, now).catch((error) => {
      if (error.kind === 'notFound') return undefined
      throw error
    })

  /** As it is told. */
  async function show(
    row: PeerTaskRow,
    run: Told | undefined,
    {
      historyLength = 0,
      hasArtifacts = true,
      room = wholeRoom()
    }: { historyLength?: number; hasArtifacts?: boolean; room?: Room } = {}
  ): Promise<TaskView> {
    const { id, takesJson, createdAt } = row
    const contextId = row.contextId ?? run?.sessionId ?? ''
    if (!run)
      return {
        id,
        contextId,
        state: row.state,
        says: [],
        artifact: [],
        files: [],
        history: undefined,
        timestamp: createdAt
      }
    const state = stateOf(run.status)
    const says =
      state === 'input-required' ? questionOf(run.pending) : run.error ? [{ text: run.error.message }] : []
    const history = historyLength > 0 ? await historyOf(row.project, run, historyLength) : undefined
    const isDone = state === 'completed' && hasArtifacts
    const artifact = isDone ? artifactOf(run.content, takesJson) : []
    // Files are made by calls.
    const made = isDone && run.hasCalled !== false ? await filesOf(row, run.id, room) : []
    const timestamp = run.endedAt ?? run.createdAt
    return { id, contextId, state, says, artifact, files: made, history, timestamp }
  }

  /** What its run made: small files as they are, others by the address at which its owner reads them. */
  async function filesOf({ project, owner }: PeerTaskRow, runId: string, room: Room): Promise<Part[]> {
    const made = (await files?.madeIn(project, runId, MOST_FILES)) ?? []
    const parts: Part[] = []
    for (const file of made.filter((it) => it.owner === owner)) {
      const about = { name: file.name, mediaType: file.mediaType }
      const bytes = file.size <= room.bytes ? await files?.read(file, room.bytes) : undefined
      room.bytes -= bytes?.length ?? 0
      const at = { uri: addressOf(file.id) }
      parts.push({ file: { ...about, ...(bytes ? { bytes: bytes.toString('base64') } : at) } })
    }
    return parts
  }

  /** What a stream ends with: none where they cannot be read just now, for the task itself has them. */
  const filesAtEnd = (row: PeerTaskRow): Promise<Part[]> =>
    filesOf(row, row.id, wholeRoom()).catch((error) => {
      log.warn({ task: row.id, err: error }, 'the files of a task were not read')
      return []
    })

  async function historyOf(project: string, { sessionId, id }: Run, length: number): Promise<Said[]> {
    const all = await sessions.ofRun(project, sessionId, id)
    return all
      .flatMap((it) => (it.role === 'user' || it.role === 'assistant' ? [it] : []))
      .filter(({ content }) => content)
      .slice(-length)
      .map((it) => ({
        id: it.id,
        role: it.role === 'user' ? 'user' : 'agent',
        parts: [{ text: it.content }, ...('attachments' in it ? attachedTo(it.attachments) : [])]
      }))
  }

  const attachedTo = (attachments: readonly { readonly fileId: string }[] = []): Part[] =>
    attachments.map(({ fileId }) => ({ file: { name: null, mediaType: null, uri: addressOf(fileId) } }))

  return { outcomeOf, show, filesAtEnd }
}
