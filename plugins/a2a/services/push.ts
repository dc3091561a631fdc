import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Dialect } from '../protocol/dialects.ts'
import { failed } from '../protocol/errors.ts'
import { placeOf, pushOf, shownPush } from '../protocol/push.ts'
import type { Params } from '../protocol/requests.ts'
import { objectOf } from '../protocol/requests.ts'
import type { PushConfigRow, PushConfigStore } from '../stores/push-configs.ts'
import type { PeerTaskRow } from '../stores/tasks.ts'

export type PushService = ReturnType<typeof createPushService>

interface Deps extends Pick<Kernel, 'transaction' | 'vault'> {
  outgoing: Outgoing
  pushConfigStore: PushConfigStore
}

/** What goes along with what a client is told. */
export interface PushSecret {
  readonly token?: string
  readonly authorization?: string
}

const MOST = 10

/** Where clients want to be told of their tasks. */
export function createPushService({ transaction, vault, outgoing, pushConfigStore }: Deps) {
  const sealing = vault.at('a2a.push_config', 'secret')

  /** -32602 for an address that may not be connected to; the address that it resolves to is looked at when it is. */
  async function set(
    row: Pick<PeerTaskRow, 'project' | 'id' | 'owner' | 'agentId'>,
    dialect: Dialect,
    config: Params
  ): Promise<PushConfigRow> {
    const { name, url, token, authorization } = pushOf(config)
    const { href } = outgoing.check(url, '/url')
    const { project, owner, agentId, id: taskId } = row
    const id = newId('push')
    const secret: PushSecret = { ...(token && { token }), ...(authorization && { authorization }) }
    const isSecret = token !== undefined || authorization !== undefined
    const made: PushConfigRow = {
      project,
      id,
      owner,
      agentId,
      taskId,
      name: name ?? taskId,
      protocol: dialect,
      url: href,
      secret: isSecret ? await sealing.seal(project, id, JSON.stringify(secret)) : null
    }
    if (!(await transaction((trx) => pushConfigStore.replace(trx, made, MOST))))
      throw failed('INVALID_PARAMS', `A task is told to ${MOST} addresses at most`)
    return made
  }

  const secretOf = async ({ project, id, secret }: PushConfigRow): Promise<PushSecret> =>
    secret === null ? {} : JSON.parse(await sealing.open(project, id, secret))

  /** What `…/set`, `get`, `list` and `delete` of each version do; `find` gives the task that is meant. */
  async function carryOut(
    operation: 'setPush' | 'getPush' | 'listPush' | 'deletePush',
    dialect: Dialect,
    params: Params,
    row: PeerTaskRow
  ): Promise<unknown> {
    const { taskId, name } = placeOf(dialect, params)
    const of = { project: row.project, taskId: row.id }
    if (operation === 'setPush') {
      const config = dialect === '1.0' ? params : objectOf(params.pushNotificationConfig)
      return shownPush(dialect, taskId, await set(row, dialect, config))
    }
    if (operation === 'listPush') {
      const configs = (await pushConfigStore.list(of)).map((it) => shownPush(dialect, taskId, it))
      return dialect === '1.0' ? { configs, nextPageToken: '' } : configs
    }
    const found =
      name === undefined ? (await pushConfigStore.list(of))[0] : await pushConfigStore.findNamed(of, name)
    if (operation === 'deletePush') {
      // What is gone already is deleted, too.
      if (found) await pushConfigStore.remove(of, found.name)
      return null
    }
    if (!found) throw failed('INVALID_PARAMS', 'There is no such configuration')
    return shownPush(dialect, taskId, found)
  }

  /** All of a task that was none. */
  const forget = ({ project, id }: Pick<PeerTaskRow, 'project' | 'id'>) =>
    pushConfigStore.remove({ project, taskId: id })

  return { set, forget, secretOf, carryOut }
}
