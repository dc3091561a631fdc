import type { Kernel, Principal } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Run, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Part } from '../protocol/parts.ts'
import type { TaskView } from '../protocol/tasks.ts'
import { artifactOf, questionOf, stateOf } from '../protocol/tasks.ts'
import type { PeerTaskRow } from '../stores/tasks.ts'

export type TaskViews = ReturnType<typeof createTaskViews>

interface Deps extends Pick<Kernel, 'platform'> {
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

/** At once: as it is. */
const now = AbortSignal.abort()

/** Tasks as they are told: what their runs say. */
export function createTaskViews({ platform, files, runs, sessions }: Deps) {
  /** Undefined where its run has not begun. */
  const outcomeOf = (row: PeerTaskRow, by: Principal): Promise<Run | undefined> =>
    runs.settled(by, row.id, now).catch((error) => {
      if (error.kind === 'notFound') return undefined
      throw error
    })

  /** As it is told. */
  async function show(
    row: PeerTaskRow,
    run: Run | undefined,
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
    const made = isDone ? await filesOf(row, run.id, room) : []
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
      const at = { uri: `${platform.baseUrl}/v1/files/${file.id}/content` }
      parts.push({ file: { ...about, ...(bytes ? { bytes: bytes.toString('base64') } : at) } })
    }
    return parts
  }

  async function historyOf(project: string, { sessionId, id }: Run, length: number) {
    const all = await sessions.ofRun(project, sessionId, id)
    return all.filter(({ role, content }) => content && /^(?:user|assistant)$/.test(role)).slice(-length)
  }

  return { outcomeOf, show }
}
