import { ApiError } from './errors.ts'
import { createEventStream } from './event-stream.ts'
import { pause, pauseAfter } from './retries.ts'
import type { Connection } from './runs.ts'
import type { RuntimeTurn } from './schemas.ts'

/** What a runtime says in answer to a turn, as it comes about. */
export interface Say {
  token(content: string, phase?: 'commentary' | 'final_answer'): void
  /** Asks for a call of a tool: what it gives stands in the messages of the run's next turn. */
  call(callId: string, toolName: string, args: unknown): void
}

export interface TurnUsage {
  readonly inputTokens?: number
  readonly cachedTokens?: number
  readonly outputTokens?: number
}

export interface ServeOptions {
  readonly agentId: string
  readonly processId: string
  /** What it can, in words of its own, shown with its status. */
  readonly capabilities?: readonly string[] | undefined
  /** Answers a turn; what it throws ends the run with that message. Aborted when nobody waits for it any more. */
  answer(turn: RuntimeTurn, say: Say, signal: AbortSignal): Promise<TurnUsage | undefined>
  /** The credential to be used from now on: before the one in use ends. */
  renewed?(token: string): void
  readonly signal?: AbortSignal | undefined
}

export interface Runtimes {
  /**
   * Speaks for the runtime of an agent: says that it is ready, and answers turns as they come, many at a time. Resolves when the
   * platform has asked it to leave and what it had begun is answered; rejects when its credential is good for nothing any more.
   */
  serve(options: ServeOptions): Promise<void>
}

interface ProcessEvent {
  readonly type: string
  readonly seq: number
  readonly processId: string
  readonly turn?: RuntimeTurn
  readonly turnId?: string
}
type Given =
  | { readonly type: 'token'; readonly content: string; readonly phase: 'commentary' | 'final_answer' }
  | { readonly type: 'call'; readonly callId: string; readonly toolName: string; readonly args: unknown }
  | { readonly type: 'end'; readonly usage?: TurnUsage }
  | { readonly type: 'error'; readonly message: string }

/** Tries in a row to hand over an answer. */
const TRIES = 20
/** Of an answer that is silent, and of one that lasted so long before it was cut off. */
const SIGN_MS = 4_000

const encode = (text: string) => new TextEncoder().encode(text)

export function createRuntimes({ send, call, ...options }: Connection): Runtimes {
  async function serve({ agentId, processId, capabilities = [], answer, renewed, signal }: ServeOptions) {
    const leaving = new AbortController()
    const leave = () => leaving.abort(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    const ofProcess = { path: { agentId, processId } }
    const open = new Map<string, { readonly work: Promise<void>; readonly cancel: AbortController }>()
    let isLeaving = false

    async function beat(): Promise<number> {
      const reply = (await call('post', '/v1/runtime/agents/{agentId}/processes/{processId}/beat', {
        params: ofProcess,
        body: { capabilities },
        signal: leaving.signal
      })) as { data: { nextSeconds: number; credential: { token: string } | null } }
      if (reply.data.credential) renewed?.(reply.data.credential.token)
      return reply.data.nextSeconds
    }

    async function beats(first: number): Promise<void> {
      for (let seconds = first; ; ) {
        await pause(seconds * 1_000, leaving.signal)
        seconds = await beat()
      }
    }

    async function follow(): Promise<void> {
      const events = createEventStream<ProcessEvent>({
        ...options,
        resume: (_, from, left) =>
          send('get', '/v1/runtime/agents/{agentId}/processes/{processId}/events', {
            params: { ...ofProcess, query: { after: from } },
            headers: { accept: 'text/event-stream' },
            signal: left
          }),
        idOf: (event) => event.processId,
        hasEnded: async () => false,
        id: processId,
        after: -1,
        signal: leaving.signal
      })
      for await (const { type, turn, turnId } of events) {
        if (type === 'turn' && turn) begin(turn)
        if (type === 'cancel' && turnId)
          open.get(turnId)?.cancel.abort(new Error('Nobody waits for the answer'))
        if (type === 'drain') break
      }
      isLeaving = true
      while (open.size > 0) await Promise.all([...open.values()].map(({ work }) => work))
    }

    function begin(turn: RuntimeTurn): void {
      const cancel = new AbortController()
      const stop = () => cancel.abort(leaving.signal.reason)
      leaving.signal.addEventListener('abort', stop, { once: true })
      const work = perform(turn, cancel).finally(() => {
        open.delete(turn.id)
        leaving.signal.removeEventListener('abort', stop)
      })
      open.set(turn.id, { work, cancel })
    }

    async function perform(turn: RuntimeTurn, cancel: AbortController): Promise<void> {
      const said: string[] = []
      let isOver = false
      let wake = () => {}
      /** False where nothing was said for a while: an empty line shows that the answer goes on. */
      const woken = () =>
        new Promise<boolean>((then) => {
          const timer = setTimeout(() => then(false), SIGN_MS)
          wake = () => {
            clearTimeout(timer)
            then(true)
          }
        })
      const tell = (event: Given) => {
        if (isOver) return
        isOver = event.type === 'end' || event.type === 'error'
        said.push(`${JSON.stringify({ ...event, seq: said.length })}\n`)
        wake()
      }
      const say: Say = {
        token: (content, phase = 'final_answer') => tell({ type: 'token', content, phase }),
        call: (callId, toolName, args) => tell({ type: 'call', callId, toolName, args })
      }
      const answering = Promise.resolve()
        .then(() => answer(turn, say, cancel.signal))
        .then(
          (usage) => tell({ type: 'end', ...(usage && { usage }) }),
          (error) =>
            tell({ type: 'error', message: String((error as Error)?.message || error).slice(0, 1_000) })
        )
      const body = () => {
        let at = 0
        return new ReadableStream<Uint8Array>({
          async pull(into) {
            while (at === said.length && !isOver) if (!(await woken())) return into.enqueue(encode('\n'))
            const lines = said.slice(at).join('')
            at = said.length
            if (lines !== '') into.enqueue(encode(lines))
            if (isOver && at === said.length) into.close()
          }
        })
      }
      for (let tries = 1, begun = 0; !cancel.signal.aborted; tries++)
        try {
          begun = performance.now()
          await send('post', '/v1/runtime/agents/{agentId}/turns/{turnId}/events', {
            params: { path: { agentId, turnId: turn.id } },
            body: body(),
            headers: { 'content-type': 'application/x-ndjson' },
            signal: cancel.signal
          })
          break
        } catch (error) {
          if (performance.now() - begun > SIGN_MS) tries = 1
          const isFinal =
            error instanceof ApiError && error.status < 500 && error.status !== 429 && error.status !== 401
          if (isFinal || tries === TRIES) cancel.abort(error)
          else await pause(pauseAfter(error, Math.min(tries, 5)), cancel.signal).catch(() => undefined)
        }
      // Whoever answers is told by the signal; nothing of it is heard any more.
      isOver = true
      wake()
      await answering
    }

    try {
      const first = await beat()
      await Promise.race([follow(), beats(first)])
    } catch (error) {
      if (!isLeaving) throw error
    } finally {
      signal?.removeEventListener('abort', leave)
      leaving.abort()
    }
  }

  return { serve }
}
