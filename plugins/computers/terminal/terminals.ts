import type { Kernel, Open, Principal } from 'agent-platform'
import { exhausted, invalid } from 'agent-platform'
import type { WebSocket } from 'ws'
import type { ExecEnd, TerminalSize } from '../guest/orders.ts'
import type { Machine, Task } from '../provider/machine.ts'
import type { ComputerService } from '../services/computers.ts'
import type { Transitions } from '../services/transitions.ts'
import type { Waking } from '../services/waking.ts'
import type { ComputerSettings } from '../settings.ts'
import type { ComputerRow } from '../stores/computers.ts'
import { asksForWebSocket, closeCodes, openWebSocket, refuse } from './socket.ts'

/** A shell as the machine has one. */
const SHELL = ['/bin/sh', '-c', 'command -v bash >/dev/null && exec bash -l; exec sh -l']
const PING_MS = 15_000
/** How long a client may not answer. */
const STALL_MS = 60_000
/** Between the word that it is over, and its end in any case. */
const KILL_MS = 2_000
/** Of output that the client has not taken: from here on it is held back, and up to there it is waited for. */
const FULL = 262_144
const OVERFULL = 4_194_304
/** Of input, and of changes of its size, within a second. */
const INPUT = 1_048_576
const RESIZES = 20
const SIDE = 1_000

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  settings: ComputerSettings
  waking: Waking
  computerService: ComputerService
  transitions: Transitions
}

/** Terminals of computers over WebSockets. What goes through them is told to nobody and kept nowhere. */
export function createTerminals({ transaction, log, settings, waking, computerService, transitions }: Deps) {
  const counts = new Map<string, number>()

  async function note(by: Principal, row: ComputerRow, reason?: string): Promise<void> {
    const isOpened = reason === undefined
    await transaction(async (trx) => {
      await transitions.note(trx, row, isOpened ? 'terminal_opened' : 'terminal_closed', reason)
      const fact = isOpened ? 'computers.terminal_opened' : 'computers.terminal_closed'
      await transitions.tell(trx, by, fact, row)
    })
  }

  /** One more of that computer; what it gives says that it is over. */
  function count(id: string): () => void {
    const open = counts.get(id) ?? 0
    if (open >= settings.terminals)
      throw exhausted(`${settings.terminals} terminals of the computer are open`, { code: 'terminals_open' })
    counts.set(id, open + 1)
    return () => {
      const left = (counts.get(id) ?? 1) - 1
      if (left > 0) counts.set(id, left)
      else counts.delete(id)
    }
  }

  const open: Open = (request, socket, head, by, { agentId = '' }) => {
    const serve = async () => {
      const row = await computerService.enabled(by, agentId, 'change')
      if (!asksForWebSocket(request)) throw invalid('upgrade', 'That takes a WebSocket')
      const size = sizeIn(request.url)
      const leave = count(row.id)
      try {
        const machine = await waking.wake(row, by)
        if (socket.destroyed) return
        await note(by, row)
        const reason = await converse(await openWebSocket(request, socket, head), machine, size)
        await note(by, row, reason)
      } finally {
        leave()
      }
    }
    serve().catch((error) => {
      if (error.kind === undefined) log.error({ err: error }, 'A terminal could not be opened')
      if (!socket.destroyed) refuse(socket, error)
    })
  }

  /** To its end, and why that was. */
  async function converse(client: WebSocket, machine: Machine, size: TerminalSize): Promise<string> {
    let reason: string | undefined
    let heardAt = Date.now()
    let usedAt = Date.now()
    const rate = { since: 0, bytes: 0, resizes: 0 }
    let isHeld = false
    const close = (why: string, code: number = closeCodes.policy) => {
      reason ??= why
      client.close(code, why)
      task.signal('SIGHUP')
      setTimeout(() => {
        task.signal('SIGKILL')
        client.terminate()
      }, KILL_MS).unref()
    }
    const task: Task<ExecEnd> = machine.perform(
      { op: 'exec', argv: SHELL, cwd: '.', env: {}, most: Number.MAX_SAFE_INTEGER, terminal: size },
      {
        output(bytes) {
          if (reason !== undefined) return
          client.send(bytes, () => {
            if (!isHeld || client.bufferedAmount > 0) return
            isHeld = false
            task.flow(true)
          })
          if (client.bufferedAmount > OVERFULL) return close('too_slow')
          if (isHeld || client.bufferedAmount < FULL) return
          isHeld = true
          task.flow(false)
        }
      }
    )
    client.on('error', () => undefined)
    client.on('pong', () => {
      heardAt = Date.now()
    })
    client.on('close', () => close('left'))
    client.on('message', async (data, isBinary) => {
      const bytes = data as Buffer
      const now = Date.now()
      ;[heardAt, usedAt] = [now, now]
      if (now - rate.since > 1_000) Object.assign(rate, { since: now, bytes: 0, resizes: 0 })
      rate.bytes += bytes.length
      if (rate.bytes > INPUT) return close('too_much')
      if (!isBinary) {
        const wanted = sizeOf(bytes.toString())
        if (!wanted || ++rate.resizes > RESIZES) return close(wanted ? 'too_much' : 'not_understood')
        return task.resize(wanted)
      }
      if (task.input(bytes)) return
      client.pause()
      await task.drained()
      client.resume()
    })
    const beat = setInterval(
      () => {
        const now = Date.now()
        if (now - usedAt > settings.terminalIdleSeconds * 1_000) close('idle')
        else if (now - heardAt > STALL_MS) close('too_slow')
        else client.ping()
      },
      Math.min(PING_MS, settings.terminalIdleSeconds * 500)
    ).unref()
    try {
      const end = await task.done
      const exitCode = 'fault' in end || !Number.isInteger(end.exitCode) ? null : end.exitCode
      if (reason === undefined) client.send(JSON.stringify({ type: 'ended', exitCode }))
      reason ??= 'ended'
      client.close(closeCodes.normal, reason)
    } catch {
      reason ??= 'computer_stopped'
      client.close(closeCodes.goingAway, reason)
    } finally {
      clearInterval(beat)
    }
    return reason
  }

  return { open }
}

/** As it is asked for with the upgrade; 400 for what no terminal has. */
function sizeIn(url = '/'): TerminalSize {
  const query = new URL(url, 'http://platform').searchParams
  const side = (name: 'columns' | 'rows', otherwise: string) => {
    const given = query.get(name) ?? otherwise
    if (!/^[1-9]\d{0,3}$/.test(given) || Number(given) > SIDE)
      throw invalid(name, `${name} must be 1 to ${SIDE}`)
    return Number(given)
  }
  return { columns: side('columns', '80'), rows: side('rows', '24') }
}

/** Of a message that says how large it is now; undefined for any other one. */
function sizeOf(text: string): TerminalSize | undefined {
  try {
    const { type, columns, rows } = JSON.parse(text)
    const isSide = (it: unknown) => Number.isInteger(it) && (it as number) >= 1 && (it as number) <= SIDE
    return type === 'resize' && isSide(columns) && isSide(rows) ? { columns, rows } : undefined
  } catch {
    return undefined
  }
}
