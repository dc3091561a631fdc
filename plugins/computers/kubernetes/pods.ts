import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Egress } from '../provider/egress.ts'
import type { Ending, Machine } from '../provider/machine.ts'
import { createMachine } from '../provider/machine.ts'
import type { Api } from './api.ts'
import { statusOf } from './api.ts'
import { beginning, program } from './bootstrap.ts'
import { channelsOf } from './channels.ts'
import type { Confinement } from './confinement.ts'
import { CONTAINER, faultOf, podOf } from './confinement.ts'
import type { Listed, Pod } from './objects.ts'
import { COMPUTER, INSTALLATION, isOurs } from './objects.ts'
import { stateOf } from './states.ts'

const GREET_MS = 30_000
const REMOVE_MS = 30_000
const [FIRST_LOOK_MS, LOOK_EVERY_MS] = [100, 1_000]
const MOST_SAID = 2_000
/** Names in a page of a list, and pages: who has more than that has them removed in turns. */
const [PAGE, PAGES] = [250, 40]
const NAMES_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/** A pod of this installation. */
export interface Found {
  readonly name: string
  readonly uid: string
  readonly computer: number
  /** Milliseconds since 1970, by the cluster's clock. */
  readonly createdAt: number
}
export type Wanted = Omit<Confinement, 'name' | 'labels'> & {
  readonly egress: Egress
  readonly fileBytes: number
}
interface Options {
  readonly api: Api
  readonly namespace: string
  readonly installation: () => Promise<string>
  /** How long a pod may take until it runs: its image may be pulled, a node made for it. */
  readonly startMs: number
  readonly silenceMs?: number | undefined
}

/** Pods of this installation, one of a computer at a time, which its name sees to. */
export function createPods({ api, namespace, installation, startMs, silenceMs }: Options) {
  const path = `/api/v1/namespaces/${namespace}/pods`
  const read = async (name: string): Promise<Pod | undefined> => {
    try {
      return await api.ask<Pod>('GET', `${path}/${encodeURIComponent(name)}`)
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }

  /** Resolves when nothing of it runs any more; never another one that took its name. */
  async function remove({ name, uid }: Pick<Found, 'name' | 'uid'>): Promise<void> {
    const until = Date.now() + REMOVE_MS
    const body = { preconditions: { uid } }
    try {
      await api.ask('DELETE', `${path}/${encodeURIComponent(name)}`, { body, ms: REMOVE_MS })
    } catch (error) {
      // Gone, or another one by now.
      if ([404, 409].includes(statusOf(error) ?? -1)) return
      throw error
    }
    for (let pause = FIRST_LOOK_MS; (await read(name))?.metadata?.uid === uid; pause = next(pause)) {
      if (Date.now() > until) throw new Error(`the pod ${name} does not end`)
      await delay(pause)
    }
  }
  const next = (pause: number) => Math.min(pause * 1.5, LOOK_EVERY_MS)

  async function create(number: number, wanted: Wanted, until: number) {
    const own = await installation()
    // Number 0 is nobody's: instances may look at the same time whether any works.
    const name = `computer-${own.slice(0, 12)}-${number || `probe-${randomBytes(6).toString('hex')}`}`
    const labels = { [INSTALLATION]: own, [COMPUTER]: String(number) }
    const { metadata, spec } = podOf({ ...wanted, name, labels })
    for (;;) {
      try {
        const body = { apiVersion: 'v1', kind: 'Pod', metadata, spec }
        const made = await api.ask<Pod>('POST', path, { body, ms: startMs })
        const { uid } = made.metadata ?? {}
        if (made.metadata?.name !== name || !uid || !isOurs(made.metadata, own, number))
          throw new Error('the API server made another pod than was asked for')
        const fault = faultOf(spec, made.spec)
        if (fault === undefined) return { name, uid }
        await remove({ name, uid })
        throw new Error(`the cluster gives the pod ${fault}`)
      } catch (error) {
        if (statusOf(error) !== 409 || Date.now() > until) throw error
        // Whoever starts a computer has it, so that this one was left by an instance that was killed.
        const left = await read(name)
        if (!left) continue
        if (!isOurs(left.metadata, own, number)) throw new Error(`the pod ${name} is another's`)
        await remove({ name, uid: left.metadata?.uid as string })
      }
    }
  }

  async function untilRunning(name: string, uid: string, until: number): Promise<void> {
    for (let pause = FIRST_LOOK_MS; ; pause = next(pause)) {
      const pod = await read(name)
      if (pod?.metadata?.uid !== uid) throw new Error('the pod was deleted')
      const state = stateOf(pod)
      if (state.is === 'running') return
      if (state.is === 'over') throw new Error(state.reason)
      if (Date.now() > until) throw new Error(`it did not start in time: ${state.reason}`)
      await delay(pause)
    }
  }

  async function start(number: number, wanted: Wanted): Promise<Machine> {
    const until = Date.now() + startMs
    const pod = await create(number, wanted, until)
    let said = ''
    let reason: Ending = 'lost'
    const { promise: ended, resolve } = Promise.withResolvers<Ending>()
    let going: Promise<void> | undefined
    const stop = (because: Ending): void => {
      if (going) return
      reason = because
      // One that could not be removed is found by its labels later, and by its name when the computer is started again.
      going = remove(pod)
        .catch(() => undefined)
        .then(() => resolve(reason))
    }
    void ended.then(() => wanted.egress.close())
    try {
      await untilRunning(pod.name, pod.uid, until)
      const query = new URLSearchParams({
        container: CONTAINER,
        stdin: 'true',
        stdout: 'true',
        stderr: 'true'
      })
      for (const word of beginning(wanted.fileBytes)) query.append('command', word)
      const socket = await api.connect(`${path}/${pod.name}/exec`, query)
      const connection = channelsOf(socket, (bytes) => {
        if (said.length < MOST_SAID) said += bytes
      })
      connection.write(await program())
      const timer = setTimeout(() => stop('lost'), GREET_MS)
      const { egress } = wanted
      const made = createMachine({ connection, stop, ended, silenceMs, egress })
      try {
        return await made
      } catch {
        throw new Error(said.trim().slice(0, MOST_SAID) || 'it ended before it was ready')
      } finally {
        clearTimeout(timer)
      }
    } catch (error) {
      stop('lost')
      await ended
      throw error
    }
  }

  return {
    start,
    remove,
    /** That of a computer, where there is one. */
    async removeOf(number: number): Promise<void> {
      const own = await installation()
      const name = `computer-${own.slice(0, 12)}-${number}`
      const found = await read(name)
      if (found && isOurs(found.metadata, own, number))
        await remove({ name, uid: found.metadata?.uid as string })
    },
    /** All that are this installation's, whether they run or not. */
    async list(): Promise<Found[]> {
      const own = await installation()
      const found: Found[] = []
      let at: string | undefined
      for (let page = 0; page < PAGES; page++) {
        const { items, metadata } = await api.ask<Listed>('GET', path, {
          accept: NAMES_ONLY,
          query: { labelSelector: `${INSTALLATION}=${own}`, limit: String(PAGE), ...(at && { continue: at }) }
        })
        for (const { metadata: it } of Array.isArray(items) ? items : [])
          if (isOurs(it, own) && typeof it?.name === 'string')
            found.push({
              name: it.name,
              uid: it.uid as string,
              computer: Number(it.labels?.[COMPUTER] ?? Number.NaN),
              createdAt: Date.parse(it.creationTimestamp ?? '')
            })
        at = metadata?.continue
        if (!at) break
      }
      return found
    }
  }
}
