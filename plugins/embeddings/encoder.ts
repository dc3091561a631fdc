import type { Kernel, WorkerLane } from 'agent-platform'
import { createWorkerLane, threadOf, unavailable } from 'agent-platform'
import type { Encoded } from './encoder-worker.ts'
import type { EmbeddingSettings } from './settings.ts'

/** Of V8's heap; the weights lie outside of it. */
const MEMORY_MB = 256
/** A thread that loads the model, or reads eight long texts, takes a tenth of it where ten others want its processor. */
const STUCK_MS = 120_000
/** Calls that may wait, of each kind of texts and of a project. */
const MOST = { ofOwner: 256, ofProject: 512 }

export type Encoder = ReturnType<typeof createEncoder>
type Lane = WorkerLane<readonly string[], Encoded | 'lost'>

interface Deps extends Pick<Kernel, 'shared'> {
  settings: EmbeddingSettings
}

/** The model in a thread of its own. It is loaded when it is first asked, and outlives reloads of other packs. */
export function createEncoder({ shared, settings }: Deps) {
  const { idleSeconds } = settings
  const worker = new URL('./encoder-worker.ts', import.meta.url)

  const open = async (): Promise<Lane> =>
    createWorkerLane({
      start: threadOf(worker, { memoryMb: MEMORY_MB }),
      lost: () => 'lost' as const,
      tooMany: 'Too many texts wait for their vectors',
      most: MOST,
      stuckMs: STUCK_MS,
      idleMs: idleSeconds * 1_000
    })
  const lane = shared(`encoder/1/${idleSeconds}/${worker.href}`, open, async (it) => it.close())
  // The caller is told.
  lane.catch(() => undefined)

  /**
   * Vectors one after the other, of the project whose turn it is; questions have a turn beside documents, so that they
   * need not wait until a library is embedded. Where the thread is lost, another one is asked once.
   */
  async function encode(
    project: string,
    as: 'document' | 'query',
    texts: readonly string[],
    signal: AbortSignal | undefined
  ): Promise<Encoded> {
    const asker = { project, owner: as }
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await (await lane).ask(asker, texts, signal)
      if (answer !== 'lost') return answer
    }
    throw unavailable('The embedding model was lost twice while it was asked', {
      code: 'embedding_unavailable'
    })
  }

  return { encode }
}
