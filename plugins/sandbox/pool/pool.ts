import { createTurns } from 'agent-platform'
import type { SandboxAnswer, SandboxCall, SandboxReadings } from '../contract.ts'
import type { SandboxSettings } from '../settings.ts'
import { createAdmission, limitsOf } from './admission.ts'
import { createAppetites } from './appetites.ts'
import type { Lost } from './hearing.ts'
import { makeRoom, placeFor } from './placement.ts'
import { createQuarantine } from './quarantine.ts'
import type { RunningCall } from './running-call.ts'
import { createRunningCall } from './running-call.ts'
import type { SandboxProcess } from './sandbox-process.ts'
import { startProcess } from './sandbox-process.ts'

const SWEEP_MS = 250
/** How often a call is sent to a program that went before it arrived. */
const TRIES = 3
/** Processes in a row that did not start, after which no call waits for the next one. */
const FAILED_STARTS = 3
/** After so long it is tried again whether one starts. */
const RETRY_MS = 5_000
const reasons: Readonly<Record<Lost['reason'], string>> = {
  died: 'ended while it ran',
  hung: 'did not answer any more',
  memory_exceeded: 'took too much memory',
  'not started': 'could not be started'
}

interface Asked {
  readonly answer: SandboxAnswer
  /** The names of the program's functions: known a moment after an answer that came together with them. */
  readonly functions: () => readonly string[] | undefined
}

export type Pool = ReturnType<typeof createPool>

/** The processes of this instance. They outlive the generation of the platform that opened them. */
export function createPool(library: string, settings: SandboxSettings) {
  const processes = new Set<SandboxProcess>()
  const quarantine = createQuarantine()
  const appetites = createAppetites(settings.burstMilliseconds)
  const waiting = createTurns<RunningCall>()
  const tries = new WeakMap<RunningCall, number>()
  const functions = new WeakMap<RunningCall, readonly string[]>()
  const admission = createAdmission(settings.callsPerOwner)
  let waits = 0
  let losses = 0
  let failedStarts = 0
  let failedAt = 0
  const sweeper = setInterval(sweep, SWEEP_MS)
  sweeper.unref()

  function start(): SandboxProcess {
    const process: SandboxProcess = startProcess(library, settings, {
      free() {
        failedStarts = 0
        next()
      },
      lost: (why, calls) => lost(process, why, calls),
      spent: () => end(process),
      again: enter,
      survived: quarantine.survived,
      isGreedy: appetites.isGreedy
    })
    processes.add(process)
    return process
  }

  function lost(process: SandboxProcess, { reason, culprit }: Lost, calls: readonly RunningCall[]): void {
    processes.delete(process)
    const text = `Its process ${reasons[reason]}`
    if (reason === 'not started') {
      failedStarts++
      failedAt = performance.now()
    } else losses++
    const culprits = new Set(
      culprit === undefined ? calls.map(({ call }) => call.program.culprit) : [culprit]
    )
    const blame = culprits.size === 1 ? quarantine.blame : quarantine.suspect
    if (reason !== 'not started') for (const it of culprits) blame(it, text)
    for (const running of calls) {
      const isBlamed = running.call.program.culprit === culprit
      if (reason === 'not started') enter(running)
      else if (isBlamed && reason === 'memory_exceeded') running.fail('memory_exceeded', text)
      else running.fail('sandbox_lost', `${text}; what the call did until then may have had effects`)
    }
    // The next call finds one that is there.
    if (!admission.isClosed() && failedStarts < FAILED_STARTS && processes.size === 0) start()
    next()
  }

  /** Into a process, now or when there is one. */
  function enter(running: RunningCall): void {
    if (running.isOver()) return
    if (performance.now() - failedAt > RETRY_MS) failedStarts = 0
    const tried = (tries.get(running) ?? 0) + 1
    tries.set(running, tried)
    if (tried > TRIES || failedStarts >= FAILED_STARTS)
      running.fail('overloaded', 'There is no process to run it in')
    else if (!place(running)) {
      waits++
      waiting.put(running.call.by, running)
    }
  }

  function place(running: RunningCall): boolean {
    const { program } = running.call
    const { id, group, culprit } = program
    const health = quarantine.of(culprit)
    if (health.state === 'quarantined') {
      const until = health.until?.toISOString()
      running.fail(
        'quarantined',
        `The program was the end of ${health.losses} processes: not before ${until}`
      )
      return true
    }
    const isApart = quarantine.isApart(culprit)
    const isBackground = appetites.isGreedy(culprit)
    const wanted = { id, group, culprit, isApart, isBackground }
    const process = placeFor(wanted, processes, settings, { start, replace })
    if (!process) return false
    process.run(running).then(
      (it) => functions.set(running, it),
      () => undefined
    )
    makeRoom(processes, settings.warm)
    return true
  }

  /** Those that wait, whose turn it is first. */
  function next(): void {
    const still: RunningCall[] = []
    for (let running = waiting.take(); running; running = waiting.take()) {
      waits--
      if (!running.isOver() && !place(running)) still.push(running)
    }
    for (const running of still) {
      waits++
      waiting.put(running.call.by, running)
    }
  }

  function end(process: SandboxProcess): void {
    processes.delete(process)
    process.end()
    next()
  }

  function replace(process: SandboxProcess): SandboxProcess {
    processes.delete(process)
    process.end()
    return start()
  }

  function sweep(): void {
    const now = performance.now()
    appetites.tidy()
    if (waits > 0) next()
    for (const process of processes) {
      const isIdle = process.calls() === 0 && now - process.state.usedAt > settings.idleSeconds * 1_000
      if (isIdle) end(process)
    }
  }

  /** `most`: where other limits hold for this call than for all. */
  function ask(call: SandboxCall, most = settings): Promise<Asked> {
    return new Promise((resolve) => {
      const input = JSON.stringify(call.input) ?? 'null'
      const limits = limitsOf(call.program.limits, most)
      let isIn = false
      const running: RunningCall = createRunningCall(call, input, limits, {
        wallMs: most.wallMilliseconds,
        settle(answer) {
          if (isIn) admission.leave(call.by)
          resolve({ answer, functions: () => functions.get(running) })
        },
        took: (cpuMs) => appetites.took(call.program.culprit, cpuMs)
      })
      if (call.signal?.aborted) running.fail('aborted', 'The caller has left')
      else if (input.length > limits.messageSize)
        running.fail('message_too_large', `The input is larger than ${limits.messageSize} characters`)
      else if (!admission.enter(call.by)) running.fail('overloaded', 'Too many calls are under way')
      else {
        isIn = true
        enter(running)
      }
    })
  }

  return {
    ask,
    quarantine,
    evict(programId: string): void {
      for (const process of processes) process.evictById(programId)
    },

    readings: (): SandboxReadings => ({
      processes: [...processes].map((process) => ({
        pid: process.state.pid,
        group: process.state.group,
        programs: process.programs(),
        calls: process.calls(),
        isBackground: process.state.isBackground,
        isOffline: process.state.isOffline
      })),
      waiting: waits,
      lost: losses,
      quarantined: quarantine.count()
    }),

    /** When what it was asked has ended; nothing more is taken. */
    async close(): Promise<void> {
      await admission.close()
      clearInterval(sweeper)
      for (const process of processes) process.end()
      processes.clear()
    }
  }
}
