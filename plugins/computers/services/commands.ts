import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Command, CommandRow, NewCommand } from '../schemas/commands.ts'
import type { ComputerSettings } from '../settings.ts'
import type { CommandStore } from '../stores/commands.ts'
import type { ComputerRow } from '../stores/computers.ts'
import type { ComputerService } from './computers.ts'
import type { Holding } from './holding.ts'
import type { Performing } from './performing.ts'
import { commandField, rowOf, shownOf } from './performing.ts'
import type { CommandQueue } from './queue.ts'
import type { Waking } from './waking.ts'

export type CommandService = ReturnType<typeof createCommandService>

const CANCEL = 'computers.cancel'

interface Deps extends Pick<Kernel, 'knex' | 'streams' | 'instances' | 'signals'> {
  settings: ComputerSettings
  agents: Agents
  holding: Holding
  waking: Waking
  performing: Performing
  commandQueue: CommandQueue
  computerService: ComputerService
  commandStore: CommandStore
}

/** Commands in computers, as people and other packs give them. */
export function createCommandService(deps: Deps) {
  const { knex, streams, instances, signals, settings, agents, holding, waking } = deps
  const { performing, commandQueue, computerService, commandStore } = deps
  let hearing: Disposable | undefined

  async function begin(computer: ComputerRow, asked: NewCommand, source: Command['source'], by: Principal) {
    const given = rowOf(computer, source, asked, settings)
    const machine = await waking.wake(computer, by)
    const release = machine.hold()
    try {
      const begun = {
        status: 'running',
        instance: instances.id() ?? null,
        startedAt: new Date().toISOString()
      } as const
      const row = await commandStore.insert(knex, { ...given, ...begun })
      return { machine, row, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** As the caller's command, to its end. */
  async function exec(
    by: Principal,
    computer: ComputerRow,
    asked: NewCommand,
    source: Command['source'] = 'exec',
    signal?: AbortSignal
  ): Promise<CommandRow> {
    const { machine, row, release } = await begin(computer, asked, source, by)
    const leave = () => holding.commands().get(row.id)?.end({ status: 'cancelled' })
    signal?.addEventListener('abort', leave)
    try {
      const done = performing.perform(machine, row, asked, by)
      if (signal?.aborted) leave()
      return await done
    } finally {
      signal?.removeEventListener('abort', leave)
      release()
    }
  }

  /** Begins it, and gives the stream of its outputs. */
  async function stream(by: Principal, computer: ComputerRow, asked: NewCommand) {
    const { machine, row, release } = await begin(computer, asked, 'exec', by)
    const writer = streams.open(row.project, row.id, commandField)
    writer.append('started', { command: shownOf(row) })
    await writer.flushed()
    void performing.perform(machine, row, asked, by, writer).finally(release)
    return { project: row.project, stream: row.id, idField: commandField }
  }

  /** One of that agent, if the principal may do that with it. */
  async function find(
    by: Principal,
    agentId: string,
    id: string,
    verb: 'read' | 'change'
  ): Promise<CommandRow> {
    await agents.owned(by, agentId, verb)
    const row = await commandStore.find(id)
    if (!row) throw notFound('Command')
    if (row.agentId !== agentId || row.project !== by.project)
      throw forbidden('You do not have access to this command', { code: 'not_owner' })
    return row
  }

  async function cancel(by: Principal, agentId: string, id: string): Promise<Command> {
    const row = await find(by, agentId, id, 'change')
    if (row.endedAt !== null) throw conflict('The command has ended', { code: 'ended' })
    if (row.status === 'queued') return shownOf(await performing.finish(row, { status: 'cancelled' }, by))
    signals.send(CANCEL, { id })
    return shownOf(row)
  }

  return {
    listen(): void {
      hearing ??= signals.on(CANCEL, (data) =>
        holding
          .commands()
          .get((data as { id: string }).id)
          ?.end({ status: 'cancelled' })
      )
    },
    deafen(): void {
      hearing?.[Symbol.dispose]()
      hearing = undefined
    },
    exec: async (by: Principal, agentId: string, asked: NewCommand, signal?: AbortSignal): Promise<Command> =>
      shownOf(await exec(by, await computerService.enabled(by, agentId, 'change'), asked, 'exec', signal)),
    stream: async (by: Principal, agentId: string, asked: NewCommand) =>
      stream(by, await computerService.enabled(by, agentId, 'change'), asked),
    queue: async (by: Principal, agentId: string, asked: NewCommand): Promise<Command> =>
      commandQueue.add(await computerService.enabled(by, agentId, 'change'), asked),
    read: async (by: Principal, agentId: string, id: string) => shownOf(await find(by, agentId, id, 'read')),
    cancel,
    perform: exec,
    async list(by: Principal, agentId: string, page: Parameters<CommandStore['list']>[2]) {
      await agents.owned(by, agentId, 'read')
      const { data, nextCursor } = await commandStore.list(by, agentId, page)
      return { data: data.map(shownOf), nextCursor }
    }
  }
}
