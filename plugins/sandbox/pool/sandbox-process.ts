import { isOffline } from 'agent-platform'
import type { SandboxSettings } from '../settings.ts'
import { createOutbox, fieldsOf, lineOf } from '../wire.ts'
import type { Hearing, Lost } from './hearing.ts'
import { createHeartbeat, readThreads } from './heartbeat.ts'
import { createProcessState } from './process-state.ts'
import type { RunningCall } from './running-call.ts'
import { startWorker } from './start-worker.ts'
import type { Warm } from './warm-programs.ts'
import { createWarmPrograms } from './warm-programs.ts'

const SWEEP_MS = 50
/** Sweeps in which one has to start. */
const STARTS = 600

export type SandboxProcess = ReturnType<typeof startProcess>

/** A process for programs of one group at a time, as the platform sees it. */
export function startProcess(library: string, settings: SandboxSettings, hearing: Hearing) {
  const programs = createWarmPrograms((number) => put(lineOf('e', number)))
  const calls = new Map<string, { readonly running: RunningCall; readonly warm: Warm; isSent: boolean }>()
  let count = 0
  let isStarted = false
  let isGone = false
  let startsFor = 0
  let sweeper: NodeJS.Timeout | undefined

  const worker = startWorker(library, settings.processMegabytes, hear, () =>
    lose({ reason: isStarted ? 'died' : 'not started' })
  )
  const heartbeat = createHeartbeat(() => readThreads(worker.pid ?? 0))
  const put = createOutbox((text) => isGone || worker.post(text), setImmediate)
  sweep()

  const state = createProcessState(worker.pid ?? 0)

  function hear(text: string): void {
    heartbeat.heard()
    for (const line of text.split('\n')) hearLine(line)
  }

  function hearLine(line: string): void {
    const [kind, id = '', third = '', rest = ''] = fieldsOf(line, 4)
    if (kind === '!') heard(id)
    else if (kind === 'o') opened(programs.open(id, JSON.parse(third)))
    else if (kind === 'g') programs.drop(id)
    else if (kind === 'w') retire()
    else if (kind === 'd') {
      const culprit = programs.numbered(id)?.program.culprit
      lose({ reason: 'memory_exceeded', ...(culprit !== undefined && { culprit }) })
    } else hearOfCall(kind ?? '', id, { line, third, rest })
  }

  /** A program is there: from now on counts what its calls take. */
  function opened(program: Warm | undefined): void {
    for (const { running, warm } of calls.values()) if (warm === program) running.opened()
  }

  function hearOfCall(kind: string, id: string, said: { line: string; third: string; rest: string }): void {
    const running = calls.get(id)?.running
    if (!running) return
    if (kind === 'h') void running.ask(said.line).then((answer) => calls.has(id) && put(answer))
    else if (kind === 'l') running.log(said.line)
    else {
      release(id)
      if (kind === 'n') hearing.again(running)
      else if (kind === 'r') running.succeed(Number(said.third), said.rest)
      else running.failed(Number(said.third), said.rest, kind === 'f')
    }
  }

  /** It starts with the others, or on a busy machine it might never. */
  function background(): void {
    if (state.isBackground) return
    state.isBackground = true
    if (isStarted) worker.giveWay()
  }

  /** It gets no more calls, and ends with the last one that it has. */
  function retire(): void {
    Object.assign(state, { isLeaving: true, isSpent: true })
    if (calls.size === 0) hearing.spent()
  }

  /** It is there: `took` has the milliseconds of the processor that its calls took until now. */
  function heard(took: string): void {
    for (const [id = '', ms] of took.split(',').map((it) => it.split(':')))
      calls.get(id)?.running.spent(Number(ms))
    if (isStarted) return
    isStarted = true
    if (state.isBackground) worker.giveWay()
    state.isOffline = isOffline(state.pid)
    hearing.free()
  }

  /** A call is in it no more. */
  function release(id: string): void {
    const found = calls.get(id)
    if (!found) return
    calls.delete(id)
    programs.release(found.warm)
    hearing.survived(found.warm.program.culprit)
    if (calls.size > 0) return
    worker.hold(false)
    if (state.isSpent) hearing.spent()
    else if (state.isLeaving) clear()
    hearing.free()
  }

  /** For another group. */
  function clear(): void {
    for (const warm of programs.list()) programs.evict(warm)
    Object.assign(state, { group: undefined, apart: undefined, isLeaving: false, askedBy: undefined })
  }

  function end(): void {
    isGone = true
    clearTimeout(sweeper)
    worker.end()
    worker.hold(false)
    calls.clear()
    programs.dropAll()
  }

  function lose(lost: Lost): void {
    if (isGone) return
    const [sent = [], unsent = []] = [true, false].map((isSent) =>
      [...calls.values()].filter((it) => it.isSent === isSent).map(({ running }) => running)
    )
    end()
    hearing.lost(lost, sent)
    for (const running of unsent) hearing.again(running)
  }

  /** While it has calls: whether they take too long, and whether it is there. */
  function sweep(): void {
    clearTimeout(sweeper)
    if (isGone) return
    sweeper = setTimeout(sweep, SWEEP_MS)
    sweeper.unref()
    const now = performance.now()
    for (const { running, warm } of calls.values()) {
      if (running.isLate(now)) running.expire()
      else if (hearing.isGreedy(warm.program.culprit)) background()
    }
    if (calls.size === 0 && isStarted) return
    if (!isStarted && ++startsFor > STARTS) lose({ reason: 'not started' })
    else if (isStarted && heartbeat.isHung(state.isBackground)) lose({ reason: 'hung' })
    else if (isStarted) put('?')
  }

  /** Its text is asked for, and sent ahead of the calls that wait for it. */
  function load({ call, limits }: RunningCall): Warm {
    const warm = programs.add(call.program, String(++count))
    call.program.load().then(
      (text) => {
        if (isGone) return
        if (warm.calls === 0 && programs.find(call.program.id) !== warm) return programs.drop(warm.number)
        put(lineOf('p', warm.number, JSON.stringify(limits), JSON.stringify(text)))
        warm.isLoaded = true
        warm.loaded.resolve()
      },
      () => {
        const waiting = [...calls].filter(([, inside]) => inside.warm === warm)
        programs.drop(warm.number)
        for (const [id, { running }] of waiting) {
          release(id)
          running.fail('invalid_program', 'The text of the program could not be read')
        }
      }
    )
    return warm
  }

  const made = {
    state,
    isStarted: () => isStarted,
    has: (programId: string) => programs.find(programId) !== undefined,
    programs: programs.count,
    calls: () => calls.size,

    /** The names of the program's functions, once they are known. */
    run(running: RunningCall): Promise<readonly string[]> {
      const warm = programs.find(running.call.program.id) ?? load(running)
      const id = String(++count)
      const inside = { running, warm, isSent: false }
      warm.calls++
      warm.usedAt = state.usedAt = performance.now()
      calls.set(id, inside)
      if (calls.size === 1) {
        worker.hold(true)
        heartbeat.heard()
      }
      running.entered((isLate) => {
        put(lineOf('x', id, isLate ? 1 : 0))
        release(id)
      })
      if (warm.isOpen) running.opened()
      const send = () => {
        if (calls.get(id) !== inside) return
        inside.isSent = true
        put(running.line(id, warm.number))
      }
      if (warm.isLoaded) send()
      else warm.loaded.promise.then(send, () => undefined)
      return warm.opened.promise
    },

    idle: programs.idle,
    evict: programs.evict,
    evictById: programs.evictById,
    clear,
    background,
    end
  }
  return made
}
