import { environment, HOME, shareOf } from '../local/surroundings.ts'
import { keeper, NODE_ADDRESS } from './bootstrap.ts'
import type { PodSpec } from './objects.ts'
import type { Placement } from './placement.ts'

/** Of the pod's one container. */
export const CONTAINER = 'computer'
/** Its root is read-only and its folders are memory: what is more would be logs, and there are none. */
const EPHEMERAL = '64Mi'
/** Of the processors that it may have, those that are kept for it: most of the time it rests. */
const KEPT = 4

export interface Confinement {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly hostname: string
  readonly image: string
  /** Its home; memory where none is named. */
  readonly claim: string | undefined
  readonly user: number
  readonly vcpu: number
  readonly memoryMb: number
  /** How many, of which resource. */
  readonly gpu: { readonly resource: string; readonly count: number } | undefined
  readonly placement: Placement
}

/** A pod that has nothing but its home, memory, and the files of its image. */
export function podOf(it: Confinement): { readonly metadata: object; readonly spec: PodSpec } {
  const { seccompProfile = { type: 'RuntimeDefault' }, ...placement } = it.placement
  const share = `${Math.floor(shareOf(it.memoryMb) / 1_024)}Ki`
  const memory = { emptyDir: { medium: 'Memory', sizeLimit: share } }
  const milli = Math.max(1, Math.round(it.vcpu * 1_000))
  const gpu = it.gpu && { [it.gpu.resource]: String(it.gpu.count) }
  const size = { memory: `${it.memoryMb}Mi`, 'ephemeral-storage': EPHEMERAL, ...gpu }
  const passwd = `root:x:0:0:root:/root:/bin/false\nagent:x:${it.user}:${it.user}:agent:${HOME}:/bin/sh\n`
  const spec = {
    ...placement,
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostname: it.hostname,
    // Names are not resolved inside: the proxy does.
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['127.0.0.1'] },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: it.user,
      runAsGroup: it.user,
      fsGroup: it.user,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile
    },
    containers: [
      {
        name: CONTAINER,
        image: it.image,
        command: [...keeper],
        workingDir: '/',
        env: [
          // Options that the image gives to every Node.js are not for this one.
          ...Object.entries({ ...environment, NODE_OPTIONS: '' }).map(([name, value]) => ({ name, value })),
          { name: NODE_ADDRESS, valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }
        ],
        resources: {
          limits: { ...size, cpu: `${milli}m` },
          requests: { ...size, cpu: `${Math.ceil(milli / KEPT)}m` }
        },
        securityContext: {
          runAsNonRoot: true,
          runAsUser: it.user,
          runAsGroup: it.user,
          privileged: false,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile
        },
        volumeMounts: [
          { name: 'home', mountPath: HOME },
          { name: 'temporary', mountPath: '/tmp' },
          { name: 'temporary', mountPath: '/var/tmp' },
          { name: 'shared-memory', mountPath: '/dev/shm' },
          { name: 'own', mountPath: '/etc/passwd', subPath: 'passwd', readOnly: true },
          { name: 'own', mountPath: '/etc/group', subPath: 'group', readOnly: true }
        ]
      }
    ],
    volumes: [
      { name: 'home', ...(it.claim ? { persistentVolumeClaim: { claimName: it.claim } } : memory) },
      { name: 'temporary', ...memory },
      { name: 'shared-memory', ...memory },
      {
        name: 'own',
        downwardAPI: {
          items: ['passwd', 'group'].map((path) => ({
            path,
            fieldRef: { fieldPath: `metadata.annotations['agent-platform/${path}']` }
          }))
        }
      }
    ]
  }
  return {
    metadata: {
      name: it.name,
      // A mesh would put a proxy of its own beside it.
      labels: { ...it.labels, 'sidecar.istio.io/inject': 'false' },
      annotations: {
        'agent-platform/passwd': passwd,
        'agent-platform/group': `root:x:0:\nagent:x:${it.user}:\n`,
        'sidecar.istio.io/inject': 'false',
        'linkerd.io/inject': 'disabled'
      }
    },
    spec
  }
}

/** What the cluster made of it that it must not be, as it has hooks that change pods; undefined where all is well. */
export function faultOf(given: PodSpec, made: PodSpec | undefined): string | undefined {
  const [container, ...others] = made?.containers ?? []
  const wanted = given.containers?.[0]
  const its = container?.securityContext
  if (!made || !container || !wanted || others.length > 0 || (made.initContainers?.length ?? 0) > 0)
    return 'containers beside its own'
  if (made.hostNetwork || made.hostPID || made.hostIPC) return 'the namespaces of its node'
  if (made.automountServiceAccountToken !== false) return 'the token of a service account'
  if (container.image !== wanted.image || String(container.command) !== String(wanted.command))
    return 'another program'
  const isDropped = String(its?.capabilities?.drop) === 'ALL' && !its?.capabilities?.add?.length
  if (!isDropped || its?.privileged || its?.allowPrivilegeEscalation !== false) return 'rights of root'
  if (its.readOnlyRootFilesystem !== true) return 'a root that can be written'
  if (its.runAsUser !== wanted.securityContext?.runAsUser) return 'another user'
  const names = (spec: PodSpec) => String(spec.volumes?.map(({ name }) => name).sort())
  if (names(made) !== names(given)) return 'volumes beside its own'
}
