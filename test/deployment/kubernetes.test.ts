import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../../kernel/deployment.ts'
import { Environment } from '../../kernel/settings.ts'
import { readCompose } from './compose.ts'
import { last, readDockerfile } from './dockerfile.ts'
import type { Kind, Manifest } from './kinds.ts'
import { check, firstOf, strictFaults } from './kinds.ts'

const folder = join(root, 'deploy/kubernetes')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const { resources, configMapGenerator } = parse(textOf('kustomization.yaml')) as {
  resources: readonly string[]
  configMapGenerator: readonly { name: string; envs: readonly string[] }[]
}
const manifests = resources.map((name) => parse(textOf(name)) as Manifest)
const of = <K extends Kind>(kind: K) => firstOf(manifests, kind)
const label = { 'app.kubernetes.io/name': 'agent-platform' }

t.test('each manifest is one that Kubernetes takes', async (t) => {
  t.same(
    ['kustomization.yaml', 'platform.env', ...resources].sort(),
    readdirSync(folder).sort(),
    'none is left out'
  )
  for (const manifest of manifests) t.doesNotThrow(() => check(manifest), manifest.kind)
  const text = textOf('deployment.yaml')
  for (const [from, to] of [
    ['replicas: 2', 'replicas: two'],
    ['periodSeconds: 5', 'periodSeconds: often'],
    ['apps/v1', 'apps/v1beta1'],
    ['containerPort: 3000', 'port: 3000']
  ] as const)
    t.throws(() => check(parse(text.replace(from, to))), `${to} is refused`)
  t.same(strictFaults(manifests), [])
  const unknown = text.replace('terminationGracePeriodSeconds: 60', 'terminationGraceSeconds: 60')
  t.match(strictFaults([parse(unknown)]), [/terminationGraceSeconds/], 'so is a field that there is not')
})

t.test('and says what the image and the platform are', async (t) => {
  const pod = of('Deployment').spec?.template.spec
  const [container] = pod?.containers ?? []
  const [image] = readDockerfile().slice(-1)
  if (!pod || !container || !image) throw new Error('There is no container')
  t.equal(
    `${pod.securityContext?.runAsUser}:${pod.securityContext?.runAsGroup}`,
    last(image, 'USER')?.text,
    'the user of the image'
  )
  t.equal(String(container.ports?.[0]?.containerPort), last(image, 'EXPOSE')?.text)
  t.equal(
    `${pod.terminationGracePeriodSeconds}s`,
    readCompose().services['platform-1']?.stop_grace_period,
    'as long as compose waits'
  )
  t.match(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] }
  })
  t.match(pod, { automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
  const mounted = container.volumeMounts?.map(({ name }) => name)
  t.same(
    mounted,
    pod.volumes?.map(({ name }) => name),
    'what is mounted is there'
  )
  t.same(
    container.volumeMounts?.map(({ mountPath }) => mountPath),
    ['/data', '/tmp'],
    'what may be written to'
  )
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const)
    t.match(container[probe]?.httpGet, {
      path: probe === 'livenessProbe' ? '/health' : '/health/ready',
      port: container.ports?.[0]?.name
    })
})

t.test('what refers to another one finds it', async (t) => {
  for (const labels of [
    of('Deployment').spec?.selector.matchLabels,
    of('Deployment').spec?.template.metadata?.labels,
    of('Service').spec?.selector,
    of('PodDisruptionBudget').spec?.selector?.matchLabels,
    of('NetworkPolicy').spec?.podSelector?.matchLabels
  ])
    t.same(labels, label)
  t.equal(of('HorizontalPodAutoscaler').spec?.scaleTargetRef.name, of('Deployment').metadata?.name)
  const [backend] = of('Ingress').spec?.rules?.[0]?.http?.paths ?? []
  t.equal(backend?.backend.service?.name, of('Service').metadata?.name)
  const pod = of('Deployment').spec?.template.spec
  t.equal(pod?.serviceAccountName, of('ServiceAccount').metadata?.name)
  t.same(
    pod?.containers[0]?.envFrom?.map((from) => from.configMapRef?.name ?? from.secretRef?.name),
    [configMapGenerator[0]?.name, 'agent-platform']
  )
})

t.test('its environment is made of settings, without a secret', async (t) => {
  const lines = textOf('platform.env')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const storage = readFileSync(join(root, 'plugins/storage/settings.ts'), 'utf8')
  for (const [name = '', value] of lines.map((line) => line.split('='))) {
    t.ok(name in Environment.properties || storage.includes(`'${name}'`), `${name} is a setting`)
    t.notMatch(name, /SECRET|KEY|PASSWORD|URL$(?<!BASE_URL)/, `${name} is not secret`)
    t.ok(value, `${name} says something`)
  }
  t.ok(lines.includes('STORAGE_DRIVER=s3'), 'objects outlive an instance')
})
