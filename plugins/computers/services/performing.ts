import type { Kernel, Principal, Trx, Writer } from 'agent-platform'
import { invalid, newId } from 'agent-platform'
import type { ExecEnd } from '../guest/orders.ts'
import type { Machine } from '../provider/machine.ts'
import type { Command, CommandRow, NewCommand } from '../schemas/commands.ts'
import type { ComputerSettings } from '../settings.ts'
import type { CommandStore } from '../stores/commands.ts'
import type { ComputerRow } from '../stores/computers.ts'
import type { Holding } from './holding.ts'
import { createOutput } from './output.ts'

export type Performing = ReturnType<typeof createPerforming>

/** Names the command in each event of its stream. */
export const commandField = 'commandId'
/** Between the word that it is over, and its end in any case. */
const KILL_MS = 2_000

export type Input = Pick<NewCommand, 'env' | 'stdin'>
type Changes = Partial<CommandRow>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'principals'> {
  settings: ComputerSettings
  holding: Holding
  commandStore: CommandStore
}

/** Runs commands that stand in the record, and writes down how they end. */
export function createPerforming({ transaction, facts, principals, settings, holding, commandStore }: Deps) {
  /** Runs it to its end, whatever that is, and writes that down. */
  async function perform(
    machine: Machine,
    row: CommandRow,
    input: Input,
    by?: Principal,
    writer?: Writer
  ): Promise<CommandRow> {
    const begun = performance.now()
    const hear = (type: string) => writer && ((content: string) => void writer.append(type, { content }))
    const out = createOutput(settings.outputBytes, hear('stdout'))
    const error = createOutput(settings.outputBytes, hear('stderr'))
    let imposed: Changes = {}
    const task = machine.perform<ExecEnd>(
      {
        op: 'exec',
        argv: row.argv ?? ['/bin/sh', '-c', row.command ?? ''],
        cwd: row.cwd,
        env: input.env ?? {},
        most: settings.outputBytes,
        rest: `.computer/${row.id}`
      },
      { output: out.take, errorOutput: error.take }
    )
    const end = (changes: Changes) => {
      imposed = changes
      task.signal('SIGTERM')
      setTimeout(() => task.signal('SIGKILL'), KILL_MS).unref()
    }
    holding.commands().set(row.id, { end })
    const timer = setTimeout(() => {
      imposed = { reason: 'time_exceeded' }
      task.signal('SIGKILL')
    }, row.timeLimit * 1_000)
    let changes: Changes
    try {
      if (input.stdin) task.input(Buffer.from(input.stdin))
      task.inputEnd()
      changes = outcomeOf(await task.done)
    } catch {
      const ending = await machine.ended
      const reason = ending === 'asked' ? 'computer_stopped' : ending === 'lost' ? 'computer_lost' : ending
      changes = { status: 'failed', reason }
    } finally {
      clearTimeout(timer)
      holding.commands().delete(row.id)
    }
    const said = error.end()
    return finish(
      row,
      {
        ...changes,
        ...(Object.keys(imposed).length > 0 && { status: 'failed', ...imposed }),
        stdout: out.end(),
        stderr: changes.stderr ?? said,
        milliseconds: Math.round(performance.now() - begun)
      },
      by,
      writer
    )
  }

  /** It has ended: once, also where two say so. */
  async function finish(
    row: CommandRow,
    changes: Changes,
    by?: Principal,
    writer?: Writer
  ): Promise<CommandRow> {
    const actor = by ?? (await principals.of(row.project, row.owner))
    const ended = await transaction(async (trx) => {
      const current = await commandStore.lock(trx, row).catch(() => undefined)
      if (!current || current.endedAt !== null) return current ?? row
      const next = await commandStore.update(trx, current, {
        ...changes,
        instance: null,
        sealed: null,
        endedAt: new Date().toISOString()
      })
      await tell(trx, actor, next)
      return next
    })
    await writer?.end('ended', { command: shownOf(ended) }).catch(() => undefined)
    return ended
  }

  async function tell(trx: Trx, actor: Principal | undefined, row: CommandRow): Promise<void> {
    const { id, agentId, source, status, exitCode, reason } = row
    const data = { id, agentId, source, status, exitCode, reason }
    if (actor)
      await facts.record(trx, 'computers.command_ended', actor, {
        subject: row.agentId,
        owner: row.owner,
        data
      })
  }

  return { perform, finish }
}

/** A command as it is asked for; 400 for what no schema can say. */
export function rowOf(
  computer: ComputerRow,
  source: Command['source'],
  asked: NewCommand,
  settings: ComputerSettings
) {
  const { command = null, argv = null, cwd = '.', timeLimit = 60 } = asked
  if ((command === null) === (argv === null))
    throw invalid('/command', 'Either /command or /argv is to be given')
  if (timeLimit > settings.commandSeconds)
    throw invalid('/timeLimit', `/timeLimit must not be more than ${settings.commandSeconds} here`)
  const { project, owner, agentId, id: computerId } = computer
  const none = {
    exitCode: null,
    signal: null,
    reason: null,
    stdoutFile: null,
    stderrFile: null,
    milliseconds: null,
    endedAt: null
  }
  const empty = { stdout: '', stderr: '', stdoutBytes: 0, stderrBytes: 0, sealed: null }
  return {
    id: newId('command'),
    project,
    owner,
    agentId,
    computerId,
    source,
    command,
    argv,
    cwd,
    timeLimit,
    ...none,
    ...empty
  }
}

/** Without what is not told. */
export function shownOf({ computerId: _, instance: _i, sealed: _s, ...row }: CommandRow): Command {
  return row
}

function outcomeOf(end: ExecEnd | { fault: { code: string; message: string } }): Changes {
  if ('fault' in end)
    return { status: 'failed', reason: 'not_started', stderr: String(end.fault.message).slice(0, 1_000) }
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : null)
  const whole = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : 0)
  return {
    status: end.exitCode === 0 ? 'completed' : 'failed',
    exitCode: Number.isInteger(end.exitCode) ? end.exitCode : null,
    signal: text(end.signal),
    stdoutBytes: whole(end.stdoutBytes),
    stderrBytes: whole(end.stderrBytes),
    stdoutFile: text(end.stdoutFile),
    stderrFile: text(end.stderrFile)
  }
}
