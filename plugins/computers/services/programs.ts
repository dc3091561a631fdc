import type { Principal } from 'agent-platform'
import type { ExecEnd } from '../guest/orders.ts'
import type { ComputerService } from './computers.ts'
import type { Holding } from './holding.ts'
import { createTail } from './output.ts'
import type { Waking } from './waking.ts'

/** A program that goes on until it ends by itself or is stopped. */
export interface ProgramOrder {
  /** Program and arguments. */
  readonly argv: readonly string[]
  /** Absolute, or below the home. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why it ended where it did not do so by itself: `not_started`, `computer_stopped`, `computer_lost`, `storage_exceeded`. */
  readonly reason: string | null
}

export interface Program {
  /** Resolves once, in whatever way it ends. */
  readonly ended: Promise<ProgramEnd>
  /** The last that it wrote, of both outputs. */
  output(): string
  /** Asks it to end, and ends it after so many milliseconds. */
  stop(graceMs: number): void
}

/** Of all that a program writes; what is more its own computer drops. */
const MOST_BYTES = 67_108_864
const TAIL = 16_384

interface Deps {
  computerService: ComputerService
  holding: Holding
  waking: Waking
}

/** Programs of other packs in the computers of agents, which reach the platform's routes for runtimes and keep it awake. */
export function createPrograms({ computerService, holding, waking }: Deps) {
  /** Wakes the computer. It runs on this instance, and ends with it. */
  async function start(by: Principal, agentId: string, order: ProgramOrder): Promise<Program> {
    const computer = await computerService.enabled(by, agentId, 'change')
    const machine = await waking.wake(computer, by)
    const doors = holding.doors()
    doors.set(computer.id, (doors.get(computer.id) ?? 0) + 1)
    const tail = createTail(TAIL)
    const task = machine.perform<ExecEnd>(
      { op: 'exec', ...order, most: MOST_BYTES },
      { output: tail.take, errorOutput: tail.take }
    )
    task.inputEnd()
    const end = async (): Promise<ProgramEnd> => {
      try {
        const it = await task.done
        if ('fault' in it) {
          tail.take(Buffer.from(String(it.fault.message).slice(0, 1_000)))
          return { exitCode: null, signal: null, reason: 'not_started' }
        }
        const exitCode = Number.isInteger(it.exitCode) ? it.exitCode : null
        return {
          exitCode,
          signal: typeof it.signal === 'string' ? it.signal.slice(0, 20) : null,
          reason: null
        }
      } catch {
        const ending = await machine.ended
        const reason = ending === 'asked' ? 'computer_stopped' : ending === 'lost' ? 'computer_lost' : ending
        return { exitCode: null, signal: null, reason }
      } finally {
        const left = (doors.get(computer.id) ?? 1) - 1
        if (left > 0) doors.set(computer.id, left)
        else doors.delete(computer.id)
      }
    }
    const ended = end()
    return {
      ended,
      output: tail.text,
      stop(graceMs) {
        task.signal('SIGTERM')
        const timer = setTimeout(() => task.signal('SIGKILL'), graceMs)
        void ended.then(() => clearTimeout(timer))
      }
    }
  }

  return { start }
}
