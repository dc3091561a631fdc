// budget: 4 s, because pods really start in a cluster that is cut off, is open, or forbids
// tier: whole
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noKubernetes, startCluster } from '../../../test/kubernetes/cluster.ts'
import { serve } from '../../../test/loopback.ts'
import { until } from '../../../test/packs/stage.ts'
import { createKubernetes } from '../kubernetes/kubernetes.ts'
import type { StartOrder } from '../provider/provider.ts'

const skip = await noKubernetes()
const cluster = await startCluster(t, { growing: false })
const { client, paths, kubelet, namespace } = cluster
const { as } = await boot(t, 'computers', { env: cluster.env })
const ada = as('ada')
const small = { enabled: true, provider: 'kubernetes', memoryMb: 256, storageMb: 64 }
const { id } = await ada.agent()
await ada.put(`/v1/agents/${id}/computer/config`, small)
const of = (rest = '') => `/v1/agents/${id}/computer${rest}`
const exec = async (command: string) => (await ada.post(of('/exec'), { command })).body.data
const lacking = (message: RegExp) => ({
  status: 503,
  body: { error: { code: 'capability_missing', message } }
})

t.test('a network that is not shut is found out before anything runs in it', { skip }, async (t) => {
  kubelet.network.isEnforced = false
  t.match(await ada.post(of('/wake')), lacking(/the pod reaches .*:\d+.*Calico, Cilium/s))
  t.same(await cluster.pods(), [])
  kubelet.network.isEnforced = true
  t.match(await exec('echo in'), { stdout: 'in\n' })
  const { items } = await client.get(paths.policies)
  t.match(items[0].spec, { policyTypes: ['Ingress', 'Egress'] })
  t.notOk(items[0].spec.egress || items[0].spec.ingress)

  await ada.post(of('/sleep'))
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'open' },
    spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] }
  }
  await client.post(paths.policies, policy)
  t.match(await ada.post(of('/wake')), lacking(/the network policy open lets computers reach/))
  await client.delete(`${paths.policies}/open`)
  await client.delete(`${paths.policies}/${items[0].metadata.name}`)
  t.match(await exec('echo again'), { stdout: 'again\n' })
  t.equal((await client.get(paths.policies)).items.length, 1, 'one that was deleted is made again')
  await ada.post(of('/sleep'))
})

t.test('a volume that cannot grow is told of, and keeps what it has', { skip }, async (t) => {
  await exec('echo kept >note')
  t.match(await ada.post(of('/resize'), { storageMb: 128 }), {
    status: 503,
    body: { error: { message: /the volume has 64Mi and cannot grow to 128Mi: .*resize/ } }
  })
  t.match((await ada.get(of())).body.data, { state: 'failed' })
  await ada.post(of('/resize'), { storageMb: 64 })
  t.match(await exec('cat note'), { stdout: 'kept\n' })
})

t.test('an API server that is away costs what ran, and is found again', { skip }, async (t) => {
  await exec('echo kept >note')
  const cut = exec('sleep 300')
  await until(
    async () => (await ada.get(of('/commands?status=running'))).body.data,
    ({ length }) => length === 1
  )
  cluster.door.cut()
  t.match(await cut, { status: 'failed', reason: 'computer_lost' })
  await until(
    async () => (await ada.get(of())).body.data,
    ({ state }) => state === 'asleep'
  )
  t.match(await ada.post(of('/wake')), lacking(/the API server at 127\.0\.0\.1:\d+ does not answer/))
  cluster.door.open()
  t.match(await exec('cat note; pgrep sleep'), { stdout: 'kept\n' }, 'what was left of it has ended')
  t.equal((await cluster.pods()).length, 1)
  await ada.post(of('/sleep'))
})

t.test('what the platform may not is named', async (t) => {
  const role = (await client.get(`${paths.roles}/agent-platform-computers`)).rules
  const fewer = role.filter(({ resources }: { resources: string[] }) => resources[0] !== 'pods/exec')
  const change = (rules: object[]) => client.patch(`${paths.roles}/agent-platform-computers`, { rules })
  await change(fewer)
  const apply = /deploy\/kubernetes-computers/
  /** An API server looks into its roles from time to time. */
  const refused = async (reason: RegExp) =>
    until(
      async () => await look(cluster.kubeconfig, { namespace }),
      (it) => !it.usable && reason.test(it.reason)
    )
  const may = /may not get pods\/exec, create pods\/exec in the namespace/
  t.match(await refused(may), { usable: false, install: apply })
  await change([])
  t.match(await refused(/networkpolicies.*is forbidden/), { usable: false, install: apply })
  await change(role)
  cluster.write('wrong')
  t.match(await look(cluster.kubeconfig), { usable: false, reason: 'Unauthorized' })
  cluster.write(cluster.token)
})

const providerOf = (cluster: string, more = {}) =>
  createKubernetes({
    ...{ cluster, placement: '', namespace: 'n', images: ['node:24'], storageClass: '', gpu: '' },
    ...{ startMs: 1_000, installation: async () => 'a'.repeat(32), ...more }
  })
const look = (cluster: string, more = {}) => providerOf(cluster, more).look()

t.test('where there is none, it is said what to do, and nothing of what is secret', async (t) => {
  t.match(await look(''), { usable: false, reason: /no cluster/, install: /COMPUTERS_KUBERNETES/ })
  t.match(await look('in-cluster'), { usable: false, reason: /in no pod/ })
  const file = join(t.testdir(), 'kubeconfig')
  t.match(await look(file), { reason: /cannot be read \(ENOENT\)/ })
  for (const text of ['{ hush', 'hush', '{"users":[{"user":{"token":"hush"}}]}']) {
    writeFileSync(file, text)
    const looked = await look(file)
    t.match(looked, { usable: false, reason: /kubeconfig/ }, text)
    t.notMatch(JSON.stringify(looked), /hush/)
  }
})

t.test('an API server that lies is bounded, and nothing of others is deleted', async (t) => {
  const asked: string[] = []
  let lie: (method: string, path: string) => [number, string] | undefined = () => undefined
  const allowed = JSON.stringify({ status: { allowed: true } })
  const { url } = await serve(t, (request, reply) => {
    const { method = '', url: path = '' } = request
    asked.push(`${method} ${path.split('?')[0]}`)
    request.resume()
    const answer = path.includes('selfsubject') ? ([201, allowed] as const) : lie(method, path)
    if (answer) reply.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1])
  })
  const file = join(t.testdir(), 'kubeconfig')
  const cluster = { name: 'c', cluster: { server: url } }
  const context = { name: 'x', context: { cluster: 'c' } }
  writeFileSync(file, JSON.stringify({ 'current-context': 'x', clusters: [cluster], contexts: [context] }))
  const lies: [string, (method: string, path: string) => [number, string], RegExp][] = [
    ['too much', () => [200, `{"items":["${'x'.repeat(9_000_000)}"]}`], /too long/],
    ['no JSON', () => [200, 'hello'], /no JSON/],
    ['a number', () => [200, '7'], /no JSON/],
    ['a page', () => [502, '<html>'], /answers 502/],
    ['other objects', () => [200, '{"items":{"a":1},"metadata":{"uid":7}}'], /another pod/],
    [
      'a pod with another container',
      (method, path) =>
        method === 'POST' && path.endsWith('/pods')
          ? [201, JSON.stringify({ metadata: { name: '../secrets/x', uid: 'u' }, spec: {} })]
          : [200, '{"items":[]}'],
      /another pod/
    ]
  ]
  for (const [what, answer, reason] of lies) {
    lie = answer
    t.match(await look(file), { usable: false, reason }, what)
  }
  asked.length = 0
  const items = [
    { metadata: { name: 'theirs', uid: 'u', labels: { app: 'database' } } },
    { metadata: { name: 'other', uid: 'u', labels: { 'agent-platform/installation': 'b'.repeat(32) } } },
    { metadata: {} },
    {}
  ]
  lie = () => [200, JSON.stringify({ metadata: { continue: 'for ever' }, items })]
  await providerOf('').removeLeft?.(async () => new Set())
  const real = providerOf(file)
  await real.removeLeft?.(async () => new Set())
  t.ok(asked.length > 1 && asked.length <= 40, `${asked.length} pages`)
  t.notOk(asked.some((it) => it.startsWith('DELETE')))
  lie = () => [200, JSON.stringify({ metadata: { name: 'computer-aaaaaaaaaaaa-7', uid: 'u' } })]
  const order = { number: 7, hostname: 'c', image: null, vcpu: 1, memoryMb: 256, storageMb: 64, gpu: 0 }
  const egress = { accept() {}, close() {} }
  await t.rejects(real.start({ ...order, egress } satisfies StartOrder), /claim .* is another's/)
  await t.rejects(real.remove(7), /is another's/)
  t.notOk(asked.some((it) => it.startsWith('DELETE')))
})
