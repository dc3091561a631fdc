import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Trx } from 'agent-platform'
import { afterCommit } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { Embedder, Models } from '../../models/contract.ts'
import type { Pending } from '../stores/entries.ts'
import type { PauseStore } from '../stores/pauses.ts'
import type { PendingStore } from '../stores/pending.ts'
import type { VectorStore } from '../vectors/store.ts'
import type { Renew, Turns } from './turns.ts'

export type Embeddings = ReturnType<typeof createEmbeddings>

/** Entries of one call that get their vectors right after its commit. */
const AT_ONCE = 16
/** At most so many have their vectors in one transaction: what a process that dies loses. */
const BATCH = 64
/** For a batch. A model in this process is its own watch: on a machine that is busy it is slow, and not away. */
const MODEL_MS = { local: 600_000, elsewhere: 60_000 }
const LOOK_MS = 50
/** What a model takes that takes anything. */
const PLAIN = 'A text to try it by'

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  jobs: Jobs
  models: Models
  pauseStore: PauseStore
  pendingStore: PendingStore
  vectorIndex: VectorStore
  turns: Turns
}

/** Gives entries their vectors: a few right after their commit, the others by jobs. */
export function createEmbeddings(deps: Deps) {
  const { transaction, log, jobs, models, pauseStore, pendingStore, vectorIndex, turns } = deps

  const send = (trx: Trx, project: string) => jobs.send('retrieval.embed', { project }, { trx, key: project })

  /** The model answers: what waited because it did not is gone on with. */
  async function keep(
    project: string,
    model: string,
    entries: readonly Pending[],
    vectors: readonly Float32Array[]
  ) {
    const rows = entries.map((entry, at) => ({ ...entry, vector: vectors[at] as Float32Array }))
    await transaction(async (trx) => {
      await pendingStore.insertModel(trx, project, model)
      await vectorIndex.insert(trx, project, model, rows)
      await pendingStore.update(
        trx,
        project,
        entries.map(({ number }) => number),
        model
      )
      if (await pauseStore.remove(trx, project)) await send(trx, project)
    })
  }

  /**
   * Where a batch is refused for good, each entry is tried alone, so that only those to blame have no vector. Servers refuse
   * wrong keys, unknown models and empty accounts by various statuses: a text is to blame where a plain one is taken.
   */
  async function embed(project: string, model: Embedder, entries: readonly Pending[], signal?: AbortSignal) {
    const limit = AbortSignal.timeout(model.isLocal ? MODEL_MS.local : MODEL_MS.elsewhere)
    const options = { as: 'document', signal: signal ? AbortSignal.any([signal, limit]) : limit } as const
    try {
      const vectors = await model.embed(
        entries.map(({ text }) => text),
        options
      )
      await keep(project, model.id, entries, vectors)
    } catch (error) {
      if ((error as { code?: string }).code !== 'embedding_failed') throw error
      const [only, ...others] = entries
      if (only && others.length === 0) {
        await model.embed([PLAIN], options)
        log.warn({ project, collection: only.collection }, 'an entry cannot be embedded')
        await pendingStore.updateFailed(project, only.number, model.id)
      } else for (const entry of entries) await embed(project, model, [entry], signal)
    }
  }

  /** To be called with `put`, in its transaction. */
  async function begin(trx: Trx, project: string, collection: string, ids: readonly string[]): Promise<void> {
    if (ids.length > AT_ONCE) return send(trx, project)
    afterCommit(trx, () => {
      embedNow(project, collection, ids).catch(({ message }) =>
        log.debug({ project, collection, message }, 'a job gives these entries their vectors')
      )
    })
  }

  async function embedNow(project: string, collection: string, ids: readonly string[]) {
    const entries = await pendingStore.listByIds(project, collection, ids)
    if (entries.length === 0) return
    await embed(project, await models.embedding(project), entries)
  }

  async function embedded(
    project: string,
    collection: string,
    ids: readonly string[],
    { waitMs = 2_000, signal }: { waitMs?: number; signal?: AbortSignal } = {}
  ): Promise<boolean> {
    const model = await models.embedding(project).catch(() => undefined)
    if (!model) return false
    const end = performance.now() + waitMs
    for (;;) {
      if ((await pendingStore.countWithout(project, collection, ids, model.id)) === 0) return true
      if (performance.now() >= end) return false
      await delay(LOOK_MS, undefined, signal && { signal })
    }
  }

  /** What cannot be asked now waits, for longer each time; nothing is lost by it. */
  async function embedOrPause(project: string, signal: AbortSignal, renew: Renew): Promise<void> {
    try {
      await embedProject(project, signal, renew)
    } catch (error) {
      // A new setting of the model ended the turn: this is no answer of the one that is there now.
      await renew()
      const { code = '', name, message: reason } = error as { code?: string; name: string; message: string }
      if (signal.aborted || !(/^(embedding|model)_/.test(code) || name === 'TimeoutError')) throw error
      const seconds = await pauseStore.insert(project)
      log.warn({ project, code, reason, seconds }, 'the embedding model cannot be asked: entries wait for it')
    }
  }

  async function work(project: string, signal: AbortSignal): Promise<void> {
    if (await pauseStore.find(project)) return
    const isDone = await turns.take(project, signal, (it, renew) => embedOrPause(project, it, renew))
    // What was put when this job had just seen that there is no more: its own job left it to this one.
    if (isDone && (await pendingStore.listPending(project, 0, 1)).length > 0)
      await transaction((trx) => send(trx, project))
  }

  /** All that waits in a project; then, where it has vectors of another model, all those once more. */
  async function embedProject(project: string, signal: AbortSignal, renew: Renew): Promise<void> {
    const model = await models.embedding(project)
    const { id } = model
    const count = Math.min(BATCH, model.textsAtOnce)
    for (const list of [pendingStore.listPending, listOther(id)])
      for (let after = 0; ; ) {
        await renew()
        signal.throwIfAborted()
        const entries = await list(project, after, count)
        const last = entries.at(-1)
        if (!last) break
        await embed(project, model, entries, signal)
        after = last.number
      }
    for (const other of await pendingStore.listModels(project))
      if (other !== id) await removeModel(project, other, signal)
  }

  const listOther = (model: string) => (project: string, after: number, limit: number) =>
    pendingStore.listOther(project, model, after, limit)

  /** Vectors that nothing is searched by any more. */
  async function removeModel(project: string, model: string, signal: AbortSignal): Promise<void> {
    for (let count = 1; count > 0; ) {
      signal.throwIfAborted()
      count = await transaction((trx) => vectorIndex.removeOf(trx, project, model, 1_000))
    }
    await transaction((trx) => pendingStore.removeModel(trx, project, model))
  }

  /** Where a process died before it was done, or the model of a deployment is another one now. */
  async function look(): Promise<void> {
    const waiting = new Set(await pendingStore.listProjects(1_000))
    for (const { project, model } of await pendingStore.listAllModels()) {
      const now = await models.embedding(project).catch(() => undefined)
      if (now && now.id !== model) waiting.add(project)
    }
    for (const project of await pauseStore.listWithout([...waiting]))
      await jobs.send('retrieval.embed', { project }, { key: project })
    await pendingStore.removeOld(24)
  }

  const worker: Worker = {
    work: (data, signal) => work((data as { project: string }).project, signal),
    concurrency: 2,
    timeoutSeconds: 3_600
  }
  const watch: Worker = { work: look, cron: '* * * * *' }
  const index: Worker = {
    work: (_, signal) => vectorIndex.index(signal),
    cron: '* * * * *',
    timeoutSeconds: 3_600
  }

  /** The project has another model now, or another way to it. */
  async function changed({ project }: { project: string }, trx: Trx): Promise<void> {
    await pauseStore.remove(trx, project)
    await turns.end(trx, project)
    await send(trx, project)
  }

  return { begin, embedded, changed, worker, watch, index }
}
