import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal, Verb } from 'agent-platform'
import { conflict, notFound, unavailable } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Computers } from '../../computers/contract.ts'
import type { Runtime, RuntimeChanges } from '../schemas/runtimes.ts'
import type { ProcessRow, ProcessStore } from '../stores/processes.ts'
import type { RuntimeRow, RuntimeStore } from '../stores/runtimes.ts'
import { defaults } from '../stores/runtimes.ts'
import type { TurnStore } from '../stores/turns.ts'
import type { Configuring, Key } from './configuring.ts'
import type { Ending, StopReason } from './ending.ts'
import type { RuntimeExecutor } from './executor.ts'
import type { Snapshots } from './snapshots.ts'
import type { Supervision } from './supervision.ts'
import type { Turns } from './turns.ts'

export type RuntimeService = ReturnType<typeof createRuntimeService>

/** For a process to end, on whichever instance. */
const PATIENCE_MS = 15_000
const POLL_MS = 50

interface Deps extends Pick<Kernel, 'transaction' | 'instances'> {
  agents: Agents
  computers: Computers
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turnStore: TurnStore
  turns: Turns
  snapshots: Snapshots
  configuring: Configuring
  supervision: Supervision
  ending: Ending
  runtimeExecutor: RuntimeExecutor
}
const notDeployed = () => conflict('The runtime is not deployed', { code: 'not_deployed' })

/** The runtime of each agent, as people have it. */
export function createRuntimeService(deps: Deps) {
  const { transaction, instances, agents, computers, runtimeStore, processStore, turnStore, turns } = deps
  const { snapshots, configuring, supervision, ending, runtimeExecutor } = deps

  async function keyOf(by: Principal, agentId: string, verb: Verb): Promise<Key> {
    const { project, owner } = await agents.owned(by, agentId, verb)
    return { project, owner, agentId }
  }

  async function show(key: Key, row: RuntimeRow | undefined): Promise<Runtime> {
    const { provider, image, command, cwd, env, secretNames, minInstances, idleSeconds } = row ?? defaults
    const processes = row ? await processStore.listLatest(key.project, key.agentId) : []
    return {
      id: row?.id ?? null,
      agentId: key.agentId,
      owner: key.owner,
      ...{
        provider,
        image,
        command,
        cwd,
        env,
        secretNames: [...secretNames],
        minInstances,
        idleSeconds
      },
      status: {
        desired: row?.desired ?? 'off',
        observed: row?.observed ?? 'off',
        capabilities: row?.capabilities ?? [],
        lastSeen: row?.lastSeen ?? null,
        reason: row?.reason ?? null
      },
      deployment: row?.deployment ?? 0,
      deployedAt: row?.deployedAt ?? null,
      processes: processes.map((process) => shownOf(process, supervision.outputOf(process.id))),
      version: row?.version ?? 0,
      createdAt: row?.createdAt ?? null,
      updatedAt: row?.updatedAt ?? null
    }
  }
  const shown = async (key: Key): Promise<Runtime> => show(key, await runtimeStore.find(key))

  async function read(by: Principal, agentId: string): Promise<Runtime> {
    return shown(await keyOf(by, agentId, 'read'))
  }

  async function deploy(by: Principal, agentId: string): Promise<Runtime> {
    const key = await keyOf(by, agentId, 'change')
    const row = await runtimeStore.find(key)
    if (!row?.command) throw conflict('The runtime has no command', { code: 'not_configured' })
    await computers.enable(by, agentId, row)
    await computers.checkUsable(by, agentId)
    const { command, cwd, env } = row
    const candidate = await snapshots.seal(row, {
      command,
      cwd,
      env,
      secrets: await snapshots.openSecrets(row)
    })
    const replaced = await transaction(async (trx) => {
      const locked = await runtimeStore.lock(trx, key)
      if (!locked) throw notFound('Agent')
      const next = await runtimeStore.update(trx, locked, {
        ...{
          candidate,
          desired: 'awake',
          failures: 0,
          restartAt: null,
          reason: null,
          deployedAt: new Date().toISOString()
        },
        usedAt: new Date().toISOString()
      })
      await ending.tell(trx, 'runtimes.deployed', next, by)
      return (await processStore.listLive(trx, locked)).filter(({ state }) => state === 'starting')
    })
    runtimeExecutor.changed(key.project, agentId)
    await stop(key, replaced, 'replaced')
    await supervision.awaken(key)
    return shown(key)
  }

  async function deployed(by: Principal, agentId: string) {
    const key = await keyOf(by, agentId, 'change')
    const row = await runtimeStore.find(key)
    if (!row || row.desired === 'off') throw notDeployed()
    return { key, row }
  }

  /** Resolves when they have ended; 503 where one does not, on an instance that lives. */
  async function stop({ project }: Key, processes: readonly ProcessRow[], reason: StopReason): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    supervision.stop(processes, reason)
    for (const { id } of processes)
      for (;;) {
        const now = await processStore.find(id)
        if (!now || now.project !== project || now.state === 'ended') break
        if ((await instances.dead()).includes(now.instance)) break
        if (Date.now() > until)
          throw unavailable('The program of the runtime does not end', {
            code: 'runtime_busy',
            headers: { 'retry-after': '5' }
          })
        await delay(POLL_MS)
        supervision.stop([now], reason)
      }
  }

  async function sleep(by: Principal, agentId: string): Promise<Runtime> {
    const { key } = await deployed(by, agentId)
    const processes = await transaction(async (trx) => {
      const locked = await runtimeStore.lock(trx, key)
      if (!locked) throw notFound('Agent')
      const live = await processStore.listLive(trx, locked)
      const rest = {
        desired: 'asleep',
        candidate: locked.deployed === null ? locked.candidate : null
      } as const
      const next = await runtimeStore.update(trx, locked, {
        ...rest,
        ...(live.length === 0 && { observed: 'asleep' as const, failures: 0, restartAt: null, reason: null })
      })
      // Nothing is there to end them.
      if (live.length === 0)
        for (const turn of await turnStore.lockOpen(trx, next))
          await turns.fail(trx, turn, 'runtime_stopped', 'The runtime was put to sleep')
      return live
    })
    await stop(key, processes, 'asleep')
    return shown(key)
  }

  async function restart(by: Principal, agentId: string): Promise<Runtime> {
    const { key } = await deployed(by, agentId)
    await computers.checkUsable(by, agentId)
    const processes = await transaction(async (trx) => {
      const locked = await runtimeStore.lock(trx, key)
      if (!locked) throw notFound('Agent')
      const anew = {
        desired: 'awake',
        failures: 0,
        restartAt: null,
        reason: null,
        usedAt: new Date().toISOString()
      } as const
      await runtimeStore.update(trx, locked, anew)
      return processStore.listLive(trx, locked)
    })
    await stop(key, processes, 'restarted')
    await supervision.awaken(key)
    return shown(key)
  }

  async function configure(
    by: Principal,
    agentId: string,
    given: RuntimeChanges,
    version?: number
  ): Promise<Runtime> {
    const key = await keyOf(by, agentId, 'change')
    return show(key, await configuring.configure(by, key, given, version))
  }

  return { read, configure, deploy, sleep, restart }
}

function shownOf(row: ProcessRow, output: string | undefined) {
  const { id, deployment, state, createdAt, readyAt, lastSeenAt, endedAt, exitCode, signal, reason } = row
  const times = { createdAt, readyAt, lastSeenAt, endedAt }
  return { id, deployment, state, ...times, exitCode, signal, reason, output: output ?? row.output }
}
