import { uidOf } from '../local/homes.ts'
import type { Machine } from '../provider/machine.ts'
import type { Provider, StartOrder, Usability } from '../provider/provider.ts'
import { missingAccess } from './access.ts'
import { createApi, statusOf } from './api.ts'
import { OPEN_NETWORK } from './bootstrap.ts'
import { measuredAtSleep, watchDisk } from './disk.ts'
import { createNetwork } from './network.ts'
import { placementOf } from './placement.ts'
import { createPods } from './pods.ts'
import { createVolumes } from './volumes.ts'

/** One that is younger may be another instance's look at whether any works. */
const YOUNG_MS = 900_000
const MEASURE_MS = 2_000
const PROBE = { vcpu: 0.5, memoryMb: 256, storageMb: 64, gpu: 0 }
const NAME = 'set COMPUTERS_KUBERNETES to the path of a kubeconfig, or to in-cluster'
const APPLY = 'apply deploy/kubernetes-computers, and name its namespace in COMPUTERS_KUBERNETES_NAMESPACE'
const SHUT =
  'have a network plugin that enforces network policies, also before the API server and the kubelet (Calico, Cilium), and no policy that lets computers out'
const START =
  'see that the image has Node.js and /bin/sh, and that a pod of that namespace may start: kubectl describe pod tells'

export interface KubernetesOptions {
  /** Path of a kubeconfig, or `in-cluster`; empty: there is no cluster. */
  readonly cluster: string
  readonly namespace: string
  /** The first one is that of whoever names none. */
  readonly images: readonly [string, ...string[]]
  readonly storageClass: string
  /** Resource of which a GPU is one; empty: there are none. */
  readonly gpu: string
  /** Where pods run and by what, as JSON. */
  readonly placement: string
  readonly startMs: number
  /** Names the platform among those that use the namespace as well. */
  readonly installation: () => Promise<string>
  readonly silenceMs?: number
}

/** Computers as pods of a cluster, whose homes are volumes. */
export function createKubernetes(options: KubernetesOptions): Provider {
  const { cluster, namespace, images, gpu: gpuResource, installation } = options
  const api = createApi(cluster)
  const network = createNetwork(api, namespace)
  const volumes = createVolumes({ ...options, api })
  const pods = createPods({ ...options, api })
  const sizes = new Map<number, number>()
  let looked: Promise<Usability> | undefined

  const begin = async (order: StartOrder, claim: string | undefined): Promise<Machine> => {
    const { number, hostname, egress, image, vcpu, memoryMb, storageMb, gpu } = order
    return pods.start(number, {
      ...{ hostname, egress, claim, vcpu, memoryMb },
      image: image ?? images[0],
      user: uidOf(await installation(), number),
      gpu: gpu > 0 ? { resource: gpuResource, count: gpu } : undefined,
      placement: placementOf(options.placement),
      fileBytes: storageMb * 1_048_576
    })
  }

  async function start(order: StartOrder): Promise<Machine> {
    const { number, storageMb } = order
    const machine = await begin(order, await volumes.open(number, storageMb))
    const tell = (bytes: number) => void sizes.set(number, bytes)
    void watchDisk(machine, storageMb, tell).catch(() => undefined)
    return measuredAtSleep(machine, tell, MEASURE_MS)
  }

  const refuse = (reason: string, install: string): Usability => ({ usable: false, reason, install })
  const told = (error: unknown): Usability => {
    const { message } = error as Error
    const status = statusOf(error)
    if (status === 0 || status === 401) return refuse(message, NAME)
    if (status === 403 || status === 404) return refuse(message, APPLY)
    return refuse(`no pod starts: ${message}`, message.includes(OPEN_NETWORK) ? SHUT : START)
  }

  /** A whole computer but for a volume, which may cost something, and whose faults are told when one is wanted. */
  async function lookOnce(): Promise<Usability> {
    try {
      placementOf(options.placement)
    } catch (error) {
      return refuse((error as Error).message, 'correct it')
    }
    try {
      const missing = await missingAccess(api, namespace)
      if (missing.length > 0)
        return refuse(`the platform may not ${missing.join(', ')} in the namespace ${namespace}`, APPLY)
      const egress = { accept: (connection: { destroy(): void }) => connection.destroy(), close() {} }
      const order = { number: 0, hostname: 'probe', egress, image: null, ...PROBE }
      await (await begin(order, undefined)).stop()
      return { usable: true, warnings: [] }
    } catch (error) {
      return told(error)
    }
  }

  async function look(): Promise<Usability> {
    if (cluster === '') return refuse('no cluster is named', NAME)
    try {
      const { made, open } = await network.shut(await installation())
      if (open !== undefined)
        return refuse(`the network policy ${open} lets computers reach or be reached`, SHUT)
      if (made) looked = undefined
    } catch (error) {
      return told(error)
    }
    looked ??= lookOnce()
    const found = await looked
    if (!found.usable) looked = undefined
    return found
  }

  return {
    name: 'kubernetes',
    capabilities: { isolation: 'container', network: true, gpu: gpuResource !== '', snapshot: false },
    images,
    look,
    refuses({ gpu }) {
      if (gpu > 0 && gpuResource === '')
        return { param: 'gpu', reason: 'pods are given no GPU: 0, unless COMPUTERS_KUBERNETES_GPU names one' }
    },
    start,
    async remove(number) {
      sizes.delete(number)
      if (cluster === '') return
      await pods.removeOf(number)
      await volumes.remove(number)
    },
    measure: async (number) => sizes.get(number),
    async removeLeft(held) {
      if (cluster === '') return
      const before = Date.now() - YOUNG_MS
      const found = await pods.list()
      if (found.length === 0) return
      const numbers = await held()
      const left = found.filter(({ computer, createdAt }) =>
        computer === 0 ? createdAt < before : !numbers.has(computer)
      )
      // One whose node is gone does not end, and keeps none of the others.
      await Promise.all(left.map(pods.remove))
    }
  }
}
