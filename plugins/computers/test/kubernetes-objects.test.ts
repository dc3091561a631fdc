// tier: whole
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import type { IContainer, IPersistentVolumeClaim, IPod, ISeccompProfile } from 'kubernetes-models/v1'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../../../kernel/deployment.ts'
import { startCluster } from '../../../test/kubernetes/cluster.ts'
import { restricted, violations } from '../../../test/kubernetes/pod-security.ts'
import { until } from '../../../test/packs/stage.ts'
import { createKubernetes } from '../kubernetes/kubernetes.ts'
import { environment } from '../local/surroundings.ts'

// No node has the image, so that no pod runs: what is asked for is looked at.
const absent = 'registry.example/absent:1'
const installation = 'ab'.repeat(16)
const labels = { 'agent-platform/installation': installation }
const cluster = await startCluster(t)
const skip = !cluster.asked() && 'a real API server does not tell what it was asked for'
const made = (resource: string) =>
  (cluster.asked() ?? []).filter((it) => it.resource === resource && it.verb === 'create' && !it.part)
const podsOf = () => made('pods').map(({ body }) => body)

const egress = { accept() {}, close() {} }
const order = {
  number: 7,
  hostname: 'computer-7',
  image: null,
  vcpu: 1.5,
  memoryMb: 512,
  storageMb: 64,
  gpu: 0
}
const provider = (more = {}) =>
  createKubernetes({
    ...{ cluster: cluster.kubeconfig, namespace: cluster.namespace, images: [absent], storageClass: '' },
    ...{ gpu: '', placement: '', startMs: 20_000, installation: async () => installation, ...more }
  })
const start = (more = {}, wanted = {}) =>
  t.rejects(provider(more).start({ ...order, egress, ...wanted }), /ImagePullBackOff/)
if (!skip) await start()
const [first] = podsOf()

const user = 1_965_200_007
const seccompProfile: ISeccompProfile = { type: 'RuntimeDefault' }
const memory = { emptyDir: { medium: 'Memory', sizeLimit: '131072Ki' } }
const own = (path: string) => ({
  path,
  fieldRef: { fieldPath: `metadata.annotations['agent-platform/${path}']` }
})
// The types, which are those of the API, know each field and refuse another.
const container = {
  name: 'computer',
  image: absent,
  command: ['/bin/sh', '-c', "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"],
  workingDir: '/',
  env: [
    ...Object.entries(environment).map(([name, value]) => ({ name, value })),
    { name: 'NODE_OPTIONS', value: '' },
    { name: 'NODE_ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }
  ],
  resources: {
    limits: { memory: '512Mi', 'ephemeral-storage': '64Mi', cpu: '1500m' },
    requests: { memory: '512Mi', 'ephemeral-storage': '64Mi', cpu: '375m' }
  },
  securityContext: {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile
  },
  volumeMounts: [
    { name: 'home', mountPath: '/home/agent' },
    { name: 'temporary', mountPath: '/tmp' },
    { name: 'temporary', mountPath: '/var/tmp' },
    { name: 'shared-memory', mountPath: '/dev/shm' },
    { name: 'own', mountPath: '/etc/passwd', subPath: 'passwd', readOnly: true },
    { name: 'own', mountPath: '/etc/group', subPath: 'group', readOnly: true }
  ]
} satisfies IContainer
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'computer-abababababab-7',
    labels: { ...labels, 'agent-platform/computer': '7', 'sidecar.istio.io/inject': 'false' },
    annotations: {
      'agent-platform/passwd': `root:x:0:0:root:/root:/bin/false\nagent:x:${user}:${user}:agent:/home/agent:/bin/sh\n`,
      'agent-platform/group': `root:x:0:\nagent:x:${user}:\n`,
      'sidecar.istio.io/inject': 'false',
      'linkerd.io/inject': 'disabled'
    }
  },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostname: 'computer-7',
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['127.0.0.1'] },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile
    },
    containers: [container],
    volumes: [
      { name: 'home', persistentVolumeClaim: { claimName: 'computer-abababababab-7' } },
      { name: 'temporary', ...memory },
      { name: 'shared-memory', ...memory },
      { name: 'own', downwardAPI: { items: [own('passwd'), own('group')] } }
    ]
  }
} satisfies IPod

t.test('a pod is this and nothing more', { skip }, async (t) => {
  t.strictSame(first, pod)
  t.equal(podsOf().length, 1)
})

t.test('its claim is a volume of its own, of the class that was named', { skip }, async (t) => {
  const metadata = { name: 'computer-abababababab-7', labels: pod.metadata.labels }
  const { 'sidecar.istio.io/inject': _, ...its } = metadata.labels
  const spec: IPersistentVolumeClaim['spec'] = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '64Mi' } }
  }
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, labels: its },
    spec
  } satisfies IPersistentVolumeClaim
  await start({ storageClass: 'fast' }, { number: 8 })
  const [one, other] = made('persistentvolumeclaims').map(({ body }) => body)
  t.strictSame(one, claim)
  t.strictSame(other.spec, { ...spec, storageClassName: 'fast' })
})

t.test('a look is a pod without a volume, behind a policy that lets nothing through', { skip }, async (t) => {
  t.match(await provider().look(), { usable: false, reason: /ImagePullBackOff/ })
  const [policy, ...others] = made('networkpolicies').map(({ body }) => body)
  t.strictSame(policy, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'computers-abababababab', labels },
    spec: { podSelector: { matchLabels: labels }, policyTypes: ['Ingress', 'Egress'] }
  } satisfies INetworkPolicy)
  t.strictSame(others, [])
  const { metadata, spec } = podsOf().at(-1)
  t.match(metadata, {
    name: /^computer-abababababab-probe-[0-9a-f]{12}$/,
    labels: { ...labels, 'agent-platform/computer': '0' }
  })
  t.strictSame(spec.volumes[0], { name: 'home', emptyDir: { medium: 'Memory', sizeLimit: '65536Ki' } })
  const [container] = spec.containers
  t.strictSame(container.securityContext, {
    ...container.securityContext,
    runAsUser: user - 7,
    runAsGroup: user - 7
  })
})

t.test('what an operator sets adds what it names, and weakens nothing', { skip }, async (t) => {
  const given = {
    runtimeClassName: 'gvisor',
    nodeSelector: { pool: 'agents' },
    tolerations: [{ key: 'agents', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    priorityClassName: 'low',
    schedulerName: 'other',
    imagePullSecrets: [{ name: 'registry' }],
    hostUsers: false
  }
  const profile: ISeccompProfile = { type: 'Localhost', localhostProfile: 'agents.json' }
  const placement = JSON.stringify({ ...given, seccompProfile: profile })
  const before = podsOf().length
  const ended = t.rejects(
    provider({ placement, gpu: 'nvidia.com/gpu' }).start({ ...order, egress, gpu: 2 }),
    /Evicted/
  )
  await until(
    async () => podsOf(),
    ({ length }) => length > before
  )
  // No node fits.
  const status = { phase: 'Failed', reason: 'Evicted' }
  await cluster.client.patch(`${cluster.paths.pods}/${pod.metadata.name}/status`, { status })
  await ended
  const withProfile = <C extends object>(context: C) => ({ ...context, seccompProfile: profile })
  const { limits, requests } = container.resources
  const gpus = { 'nvidia.com/gpu': '2' }
  const its = {
    ...container,
    securityContext: withProfile(container.securityContext),
    resources: { limits: { ...limits, ...gpus }, requests: { ...requests, ...gpus } }
  }
  const securityContext = withProfile(pod.spec.securityContext)
  const spec = { ...given, ...pod.spec, securityContext, containers: [its] }
  t.strictSame(podsOf().at(-1), { ...pod, spec })
  for (const wrong of [
    { hostNetwork: true },
    { securityContext: {} },
    { volumes: [] },
    { hostUsers: true },
    { seccompProfile: { type: 'Unconfined' } }
  ])
    t.match(await provider({ placement: JSON.stringify(wrong) }).look(), {
      usable: false,
      reason: /COMPUTERS_KUBERNETES_POD may have/
    })
})

/** To each control, fields of a part of the pod by which it does not keep to that one. */
const weaker: Readonly<Record<string, readonly [part: string, fields: object]>> = {
  HostProcess: ['context', { windowsOptions: { hostProcess: true } }],
  'Host Namespaces': ['spec', { hostPID: true }],
  'Privileged Containers': ['context', { privileged: true }],
  'HostPath Volumes': ['volume', { hostPath: { path: '/' } }],
  'Host Ports': ['container', { ports: [{ containerPort: 80, hostPort: 80 }] }],
  'Host Probes / Lifecycle Hooks': [
    'container',
    { livenessProbe: { tcpSocket: { host: '10.0.0.1', port: 80 } } }
  ],
  AppArmor: ['context', { appArmorProfile: { type: 'Unconfined' } }],
  SELinux: ['context', { seLinuxOptions: { type: 'spc_t' } }],
  '/proc Mount Type': ['context', { procMount: 'Unmasked' }],
  Sysctls: ['whole', { sysctls: [{ name: 'kernel.msgmax', value: '1' }] }],
  'Volume Types': ['volume', { nfs: { server: 'x', path: '/' } }],
  'Privilege Escalation': ['context', { allowPrivilegeEscalation: true }],
  'Running as Non-root': ['context', { runAsNonRoot: false }],
  'Running as Non-root user': ['context', { runAsUser: 0 }],
  Seccomp: ['context', { seccompProfile: { type: 'Unconfined' } }],
  Capabilities: ['context', { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } }]
}

t.test('a namespace that enforces the standard `restricted` takes it', async (t) => {
  t.strictSame(violations(pod), [])
  t.same(Object.keys(weaker), Object.keys(restricted), 'each control is tried')
  for (const [control, [part, fields]] of Object.entries(weaker)) {
    const { metadata, spec } = structuredClone(pod)
    const [container] = spec.containers
    const parts: Readonly<Record<string, object | undefined>> = {
      ...{ spec, container, volume: spec.volumes[1] },
      ...{ whole: spec.securityContext, context: container?.securityContext }
    }
    Object.assign(parts[part] ?? {}, fields)
    const more = control === 'HostPath Volumes' ? ['Volume Types'] : []
    t.same(violations({ metadata, spec }), [control, ...more], control)
  }
  const { metadata } = await cluster.client.get(`/api/v1/namespaces/${cluster.namespace}`)
  t.equal(metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted', 'as that of computers does')
})

t.test('a pod says how much it takes of what the quota counts, which a cluster asks for', async (t) => {
  const { spec } = parse(readFileSync(join(root, 'deploy/kubernetes-computers/limits.yaml'), 'utf8'))
  const counted = Object.keys(spec.hard).filter((name) => /^(requests|limits)\.(cpu|memory)$/.test(name))
  t.same(counted, ['limits.cpu', 'limits.memory'])
  const resources: Readonly<Record<string, Readonly<Record<string, string>>>> = container.resources
  for (const name of counted) {
    const [kind = '', resource = ''] = name.split('.')
    t.ok(resources[kind]?.[resource], name)
  }
})

t.test('a pod that does not keep to the standard is refused', { skip }, async (t) => {
  const spec = { ...pod.spec, hostNetwork: true }
  const { status, body } = await cluster.client.post(cluster.paths.pods, { ...pod, spec })
  t.equal(status, 403)
  t.match(body.message, /violates PodSecurity "restricted:latest": Host Namespaces/)
})
