// budget: 8 s, because objects are compiled as TypeScript, and Helm is started some 40 times
// tier: whole
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../../kernel/deployment.ts'
import { violations } from '../kubernetes/pod-security.ts'
import type { Values } from './helm/chart.ts'
import { digestOfChart, lint, noHelm, objectsOf, render, textOf, withDefaults } from './helm/chart.ts'
import { refused, releases, wrong } from './helm/releases.ts'
import type { Manifest } from './kinds.ts'
import { check, firstOf, strictFaults } from './kinds.ts'
import { readKustomization } from './kustomization.ts'
import { danglingReferences } from './references.ts'

/** What the chart was when these were rendered, so that they are looked at where there is nothing to render it. */
const kept = join(root, 'test/fixtures/helm')
const fileOf = (name: string) => join(kept, `${name}.yaml`)
const head = `# Rendered of the chart ${digestOfChart(releases)} by UPDATE=1.\n`

t.test('Helm makes what is kept', { skip: noHelm }, async (t) => {
  for (const release of releases) {
    const rendered = render(release)
    const whole = `${head}${'text' in rendered ? rendered.text : rendered.error}`
    if (process.env.UPDATE) writeFileSync(fileOf(release.name), whole)
    t.equal(readFileSync(fileOf(release.name), 'utf8'), whole, release.name)
    t.equal(lint(release), '', `helm lint --strict: ${release.name}`)
  }
  for (const { why, ...release } of refused) t.match(render(release), { error: why })
})

const objects = new Map(releases.map(({ name }) => [name, objectsOf(readFileSync(fileOf(name), 'utf8'))]))
const of = (name: string) => objects.get(name) ?? []
const container = (manifests: readonly Manifest[]) => {
  const pod = firstOf(manifests, 'Deployment').spec?.template.spec
  const [first] = pod?.containers ?? []
  if (!pod || !first) throw new Error('There is no container')
  return { pod, first }
}

t.test('what is kept is of the chart as it is', async (t) => {
  t.same(readdirSync(kept).sort(), releases.map(({ name }) => `${name}.yaml`).sort())
  for (const { name } of releases)
    t.ok(
      readFileSync(fileOf(name), 'utf8').startsWith(head),
      `${name}: render it anew by UPDATE=1, with Helm`
    )
})

t.test('each object is one that Kubernetes takes', async (t) => {
  for (const [name, manifests] of objects)
    for (const manifest of manifests) t.doesNotThrow(() => check(manifest), `${name}: ${manifest.kind}`)
  t.same(strictFaults([...objects.values()].flat()), [])
})

t.test('what refers to another one finds it, and pods keep to the standard `restricted`', async (t) => {
  const secrets = ['agent-platform', 'agent-platform-tls', 'cluster-app', 'models', 'registry']
  const given = [...secrets.map((name) => `Secret ${name}`), 'ServiceAccount default']
  for (const [name, manifests] of objects) {
    t.same(danglingReferences(manifests, given), [], name)
    const template = firstOf(manifests, 'Deployment').spec?.template
    t.strictSame(violations({ metadata: {}, ...template }), [], name)
  }
})

t.test('as it comes it is what Kustomize makes', async (t) => {
  const theirs = [...readKustomization('kubernetes').values()]
  /** Without what is each one's own way: labels, the namespace, types that are the default, the version of the image. */
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(
      ([key, it]) =>
        !(
          key === 'labels' ||
          key === 'namespace' ||
          key === 'checksum/config' ||
          key === 'imagePullPolicy'
        ) &&
        !/\/(instance|version|managed-by)$|^helm\.sh/.test(key) &&
        it !== 'ClusterIP'
    )
    return Object.fromEntries(
      entries.map(([key, it]) => [key, key === 'image' ? String(it).replace(/:.*/, '') : bare(it)])
    )
  }
  const byKind = (manifests: readonly Manifest[]) =>
    Object.fromEntries(manifests.map((it) => [it.kind, bare(it) as Record<string, never>]))
  const { Namespace, ...expected } = byKind(theirs)
  t.ok(Namespace, 'which Helm makes by --create-namespace')
  const found = byKind(of('agent-platform'))
  // Kustomize has a number of instances beside the autoscaler, which takes it over.
  const { replicas, ...deployment } = (expected.Deployment as unknown as { spec: { replicas: number } }).spec
  t.equal(replicas, parse(textOf('values.yaml')).replicas)
  const spec = (found.Deployment as unknown as { spec: { template: { metadata: object } } }).spec
  t.same(
    { ...spec, template: { ...spec.template, metadata: {} } },
    {
      ...deployment,
      template: { ...(deployment as typeof spec).template, metadata: {} }
    }
  )
  for (const kind of Object.keys({ ...expected, ...found }))
    if (kind !== 'Deployment') t.same(found[kind], expected[kind], kind)
})

t.test('the platform may what computers take, and no more', async (t) => {
  const theirs = parse(readFileSync(join(root, 'deploy/kubernetes-computers/role.yaml'), 'utf8'))
  const own = of('blue').find(({ kind }) => kind === 'Role') as unknown as { rules: unknown }
  t.same(own.rules, theirs.rules)
  const { data } = firstOf(of('blue'), 'ConfigMap') as unknown as { data: Record<string, string> }
  t.match(data, { COMPUTERS_KUBERNETES: 'in-cluster', COMPUTERS_KUBERNETES_NAMESPACE: 'computers' })
  t.notOk(of('agent-platform').some(({ kind }) => kind === 'Role'))
})

t.test('what is set is where it belongs', async (t) => {
  const blue = of('blue')
  const { pod, first } = container(blue)
  t.equal(first.image, `registry.example.com:5000/agents/platform@sha256:${'0a'.repeat(32)}`)
  t.match(pod, {
    serviceAccountName: 'platform',
    automountServiceAccountToken: true,
    priorityClassName: 'high'
  })
  t.same(
    first.env?.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef ?? valueFrom?.fieldRef]),
    [
      ['DATABASE_URL', { name: 'cluster-app', key: 'uri' }],
      ['DATABASE_POOL_URL', { name: 'cluster-app', key: 'pooler' }],
      ['POD_IP', { fieldPath: 'status.podIP' }]
    ]
  )
  t.match(firstOf(blue, 'ConfigMap').data, {
    DATABASE_REPLICA_URL: 'postgres://platform@cluster-ro:5432/platform',
    ...{ REDIS_URL: 'redis://redis:6379/1', S3_FORCE_PATH_STYLE: 'true', API_AUTH_REQUIRED: 'true' },
    ...{ TRUST_PROXY: '1', LOG_LEVEL: 'warn' }
  })
  const { metadata, rules = [] } = firstOf(blue, 'Role')
  t.equal(metadata?.namespace, 'computers')
  t.same(rules.flatMap(({ resources = [] }) => resources).sort(), [
    'networkpolicies',
    'persistentvolumeclaims',
    'pods',
    'pods/exec'
  ])
  t.match(firstOf(blue, 'RoleBinding').subjects, [{ name: 'platform', namespace: 'agents' }])
  t.same(firstOf(blue, 'NetworkPolicy').spec?.policyTypes, ['Ingress', 'Egress'])
  const small = of('small')
  t.same(small.map(({ kind }) => kind).sort(), ['ConfigMap', 'Deployment', 'Service'], 'and nothing else')
  t.equal(firstOf(small, 'Deployment').spec?.replicas, 1)
  t.notOk(firstOf(of('agent-platform'), 'Role'), 'no rights unless they are asked for')
})

t.test('values that are wrong are refused', async (t) => {
  const schema = JSON.parse(textOf('values.schema.json'))
  const isValid = new Ajv({ allErrors: true, strictTypes: false }).compile(schema)
  for (const { values } of releases) t.ok(isValid(withDefaults(values)), JSON.stringify(isValid.errors))
  for (const [path, values] of wrong) {
    t.notOk(isValid(withDefaults(values as never)), JSON.stringify(values))
    t.ok(
      isValid.errors?.some(({ instancePath }) => instancePath === path),
      `${path} is named`
    )
  }
  const named = Object.keys(parse(textOf('values.yaml')))
  t.same(
    Object.keys(schema.properties)
      .filter((it) => it !== 'global')
      .sort(),
    named.sort(),
    'each is there'
  )
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.match(parse(textOf('Chart.yaml')), { version, appVersion: version })
})

t.test('Helm refuses them, too', { skip: noHelm }, async (t) => {
  for (const [path, values] of wrong)
    t.match(
      render({ name: 'wrong', namespace: 'agents', values: values as Values }),
      { error: /values don't meet the specifications of the schema/ },
      path
    )
})

const isMissing = spawnSync('kubeconform', ['-h']).error !== undefined
t.test('kubeconform', { skip: isMissing && 'kubeconform is not installed' }, async (t) => {
  for (const { name } of releases) {
    const input = readFileSync(fileOf(name), 'utf8')
    const { status, stdout } = spawnSync('kubeconform', ['-strict', '-summary'], { input, encoding: 'utf8' })
    t.equal(status, 0, stdout)
  }
})
