// tier: whole
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../../kernel/deployment.ts'
import { Environment } from '../../kernel/settings.ts'
import { violations } from '../kubernetes/pod-security.ts'
import { readCompose } from './compose.ts'
import { last, readDockerfile } from './dockerfile.ts'
import type { Kind } from './kinds.ts'
import { check, firstOf, strictFaults } from './kinds.ts'
import { readKustomization } from './kustomization.ts'
import { danglingReferences } from './references.ts'

const folders = {
  kubernetes: readKustomization('kubernetes'),
  'kubernetes-computers': readKustomization('kubernetes-computers')
}
const manifests = [...folders.kubernetes.values()]
const all = Object.values(folders).flatMap((files) => [...files.values()])
const of = <K extends Kind>(kind: K) => firstOf(manifests, kind)
/** Which an operator makes. */
const secrets = ['Secret agent-platform', 'Secret agent-platform-tls']
const textOf = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

t.test('each manifest is one that Kubernetes takes', async (t) => {
  for (const [folder, files] of Object.entries(folders))
    for (const [file, manifest] of files) t.doesNotThrow(() => check(manifest), `${folder}/${file}`)
  const wrong: readonly (readonly [path: string, from: string, to: string])[] = [
    ['kubernetes/deployment.yaml', 'replicas: 2', 'replicas: two'],
    ['kubernetes/deployment.yaml', 'periodSeconds: 5', 'periodSeconds: often'],
    ['kubernetes/deployment.yaml', 'apps/v1', 'apps/v1beta1'],
    ['kubernetes/deployment.yaml', 'containerPort: 3000', 'port: 3000'],
    ['kubernetes-computers/limits.yaml', "pods: '100'", 'pods: [100]'],
    ['kubernetes-computers/role.yaml', 'verbs: [get, create]', 'verbs: get'],
    ['kubernetes-computers/role-binding.yaml', 'kind: Role,', '']
  ]
  for (const [path, from, to] of wrong) {
    const text = textOf(path)
    t.ok(text.includes(from), path)
    t.throws(() => check(parse(text.replace(from, to))), `${to || `without ${from}`} is refused`)
  }
  const unknown = [
    ['kubernetes/deployment.yaml', 'terminationGracePeriodSeconds: 60', 'terminationGraceSeconds: 60'],
    ['kubernetes-computers/role.yaml', 'resources: [pods]', 'resources: [pods], names: [x]'],
    ['kubernetes-computers/limits.yaml', 'hard:', 'firm:']
  ] as const
  const faults = strictFaults([
    ...unknown.map(([path, from, to]) => parse(textOf(path).replace(from, to))),
    ...all
  ])
  t.match(faults, [/terminationGraceSeconds/, /names/, /firm/], 'so is a field that there is not')
  t.equal(faults.length, unknown.length, 'and nothing of what is there')
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
  t.same(danglingReferences(all, secrets), [])
  t.same(danglingReferences(all).length, 2, 'but for the secrets')
  /** In place of one text of all of them another, and what then refers to nothing. */
  const broken: readonly (readonly [from: string, to: string, fault: RegExp])[] = [
    ['"serviceAccountName":"agent-platform"', '"serviceAccountName":"other"', /ServiceAccount other/],
    ['"configMapRef":{"name":"agent-platform"}', '"configMapRef":{"name":"other"}', /ConfigMap other/],
    ['"port":{"name":"http"}', '"port":{"name":"web"}', /port web/],
    ['"path":"/health","port":"http"', '"path":"/health","port":"web"', /port web/],
    ['"targetPort":"http"', '"targetPort":"web"', /port web/],
    ['"name":"data","mountPath"', '"name":"other","mountPath"', /volume other/],
    ['"kind":"Deployment","name":"agent-platform"', '"kind":"Deployment","name":"other"', /Deployment other/],
    ['"podSelector":{"matchLabels":{"app.', '"podSelector":{"matchLabels":{"other.', /pods with/],
    ['"kind":"Role","name":"agent-platform-computers"', '"kind":"Role","name":"other"', /Role other/],
    [
      '"name":"agent-platform","namespace":"agent-platform"}]',
      '"name":"agent-platform","namespace":"other"}]',
      /ServiceAccount agent-platform of other/
    ]
  ]
  const text = JSON.stringify(all)
  for (const [from, to, fault] of broken) {
    t.ok(text.includes(from), from)
    t.match(danglingReferences(JSON.parse(text.replace(from, to)), secrets).join(), fault)
  }
})

t.test('namespaces are there, and take their pods', async (t) => {
  for (const [folder, files] of Object.entries(folders)) {
    const { metadata } = firstOf([...files.values()], 'Namespace')
    t.match(metadata?.labels, { 'pod-security.kubernetes.io/enforce': 'restricted' }, folder)
    for (const { kind, metadata: its } of files.values())
      if (kind !== 'Namespace') t.equal(its.namespace, metadata?.name, `${folder}: ${kind}`)
  }
  const settings = readFileSync(join(root, 'plugins/computers/settings.ts'), 'utf8')
  t.match(
    settings,
    /'agent-computers'/,
    'the namespace of computers is the one that is taken unless it is set'
  )
  const template = of('Deployment').spec?.template
  t.strictSame(violations({ metadata: {}, ...template }), [], 'as does the platform')
})

t.test('its environment is made of settings, without a secret', async (t) => {
  const { data } = of('ConfigMap')
  const storage = readFileSync(join(root, 'plugins/storage/settings.ts'), 'utf8')
  for (const [name, value] of Object.entries(data ?? {})) {
    t.ok(name in Environment.properties || storage.includes(`'${name}'`), `${name} is a setting`)
    t.notMatch(name, /SECRET|KEY|PASSWORD|URL$(?<!BASE_URL)/, `${name} is not secret`)
    t.ok(value, `${name} says something`)
  }
  t.match(data, { STORAGE_DRIVER: 's3' }, 'objects outlive an instance')
})
