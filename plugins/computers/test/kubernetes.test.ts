// budget: 6 s, because each computer is a pod that really starts, sleeps and is taken away
// tier: whole
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Thing } from '../../../test/kubernetes/client.ts'
import { IMAGE, noKubernetes, OTHER, startCluster } from '../../../test/kubernetes/cluster.ts'
import { until } from '../../../test/packs/stage.ts'
import { rules } from '../kubernetes/access.ts'
import { createKubernetes } from '../kubernetes/kubernetes.ts'

const skip = await noKubernetes()
const cluster = await startCluster(t)
const { client, paths } = cluster
const { as, platform, settled } = await boot(t, 'computers', {
  env: { ...cluster.env, OUTGOING_ALLOW: '127.0.0.1', COMPUTERS_KUBERNETES_START_SECONDS: '20' }
})
const ada = as('ada')
const of = (agentId: string, rest = '') => `/v1/agents/${agentId}/computer${rest}`
const small = { enabled: true, provider: 'kubernetes', memoryMb: 256, storageMb: 64 }

async function computer(fields = {}) {
  const { id } = await ada.agent()
  const { status, text } = await ada.put(of(id, '/config'), { ...small, ...fields })
  if (status !== 200) throw new Error(text)
  const exec = async (command: string) => {
    const { body, text } = await ada.post(of(id, '/exec'), { command })
    if (!body.data) throw new Error(text)
    return body.data
  }
  return { id, exec, state: async () => (await ada.get(of(id))).body.data }
}
const reconcile = async () => {
  const worker = platform.points.all('jobs.worker').find(({ key }) => key === 'computers.reconcile')
  await worker?.value.work({}, new AbortController().signal)
}
const names = async () => (await cluster.pods()).map(({ metadata }) => metadata.name)

t.test('what is asked for is checked: images are those that the operator names', async (t) => {
  const { id } = await ada.agent()
  const wrong: [object, string, RegExp][] = [
    [{ image: 'postgres' }, '/image', /one of node:24, registry\.example.*COMPUTERS_KUBERNETES_IMAGES/],
    [{ gpu: 1 }, '/gpu', /COMPUTERS_KUBERNETES_GPU/]
  ]
  for (const [body, param, message] of wrong)
    t.match(await ada.put(of(id, '/config'), { ...small, ...body }), {
      status: 400,
      body: { error: { param, message } }
    })
  t.match(await ada.put(of(id, '/config'), { ...small, image: OTHER }), { status: 200 })
  t.match((await ada.get(of(id))).body.data, {
    image: OTHER,
    capabilities: { isolation: 'container', network: true, gpu: false, snapshot: false }
  })
})

t.test('it wakes, runs commands, and its home outlives its pod', { skip }, async (t) => {
  const { id, exec, state } = await computer()
  t.match(await exec('echo hello | tr a-z A-Z; echo oh >&2; exit 3'), {
    status: 'failed',
    stdout: 'HELLO\n',
    stderr: 'oh\n',
    exitCode: 3
  })
  t.match(await exec('id -un; whoami; env | grep -cE "KUBERNETES|NODE_ADDRESS"'), {
    stdout: 'agent\nagent\n0\n'
  })
  const [first] = await cluster.pods()
  t.match(first.spec.containers[0], { image: IMAGE, resources: { limits: { memory: '256Mi', cpu: '1' } } })
  const content = 'ä'.repeat(500_000)
  await ada.post(of(id, '/files/write'), { files: [{ path: 'deep/large', content, mode: 0o600 }] })
  t.equal((await exec('wc -c <deep/large')).stdout.trim(), '1000000')
  t.match(await exec('head -c 3000000 /dev/zero | tr "\\0" x'), { stdoutBytes: 3_000_000, exitCode: 0 })
  const read = await ada.get(of(id, '/files/read?path=deep/large&length=300000&offset=200000'))
  t.equal(read.body.data.content, 'ä'.repeat(150_000))
  const terminal = await exec("script -q -e -c 'stty rows 7 cols 70; stty size; tty' /dev/null")
  t.match(terminal, { stdout: /^7 70\r\n\/dev\/pts\/\d+\r\n$/ }, 'terminals can be made')
  t.match(await exec('grep -E "processes|core" /proc/self/limits; touch /x /etc/x'), {
    stdout: /core file size +0 +0 [\s\S]*processes +1024 +1024 /,
    stderr: /Read-only/
  })

  const [container] = cluster.kubelet.running.values()
  const counted = await container?.memory()
  if (counted === undefined) t.comment('no control groups here: what it takes of memory is not told')
  else {
    t.ok((await state()).memoryBytes > 0, 'what it takes of memory is told')
    await exec('head -c 64M /dev/zero >/dev/shm/held')
    const held = (await state()).memoryBytes
    t.ok(held > 67_108_864 && held < 268_435_456, `${held} bytes, with what lies in its memory`)
    await exec('rm /dev/shm/held')
    t.ok((await state()).memoryBytes < held - 60_000_000, 'and less without')
    const { status } = await exec('head -c 400M /dev/zero >/dev/shm/held')
    t.equal(status, 'failed', 'more than it may have is refused by the kernel')
    t.match(await exec('rm -f /dev/shm/held; echo on'), { stdout: 'on\n' }, 'and it goes on')
  }

  t.match(await ada.post(of(id, '/sleep')), { status: 200, body: { data: { state: 'asleep' } } })
  t.same(await cluster.pods(), [], 'nothing is left of it but its volume')
  t.ok((await state()).storageBytes > 900_000, 'whose size was looked at')
  const [weak] = (await client.get(paths.policies)).items
  await client.patch(`${paths.policies}/${weak.metadata.name}`, { spec: { policyTypes: ['Ingress'] } })
  t.match(await exec('stat -c "%a %s" deep/large'), { stdout: '600 1000000\n' })
  const { items: policies } = await client.get(paths.policies)
  t.same(policies[0].spec.policyTypes, ['Ingress', 'Egress'], 'a policy that was weakened is made anew')
  t.not(policies[0].metadata.uid, weak.metadata.uid)
  t.match(await state(), { state: 'awake', desired: 'awake' })
  t.not((await cluster.pods())[0].metadata.uid, first.metadata.uid)

  t.match(await ada.post(of(id, '/resize'), { storageMb: 128, memoryMb: 512 }), { status: 200 })
  t.match(await exec('stat -c %s deep/large'), { stdout: '1000000\n' })
  const [claim] = await cluster.claims()
  t.match(claim.spec, { resources: { requests: { storage: '128Mi' } }, accessModes: ['ReadWriteOnce'] })
  t.equal(claim.spec.storageClassName, cluster.storageClass)
  t.match((await cluster.pods())[0].spec.containers[0].resources.limits, { memory: '512Mi' })

  await ada.delete(`/v1/agents/${id}`)
  await settled()
  await until(cluster.claims, ({ length }) => length === 0)
  t.same(await cluster.pods(), [], 'all of it goes with its agent')
})

t.test('it reaches what its agent may by the proxy, and nothing else', { skip }, async (t) => {
  const server = createServer((request, reply) => void request.pipe(reply)).listen(0, '127.0.0.1')
  const plain = createTcpServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  t.teardown(() => plain.close())
  await Promise.all([once(server, 'listening'), once(plain, 'listening')])
  const { port } = server.address() as { port: number }
  const { port: other } = plain.address() as { port: number }
  const { id, exec } = await computer({ allowedHosts: [`127.0.0.1:${port}`] })
  // One program for all of them: each start of Node.js costs more than what it asks.
  const run = async (program: string) => (await exec(`node -e "${program}"`)).stdout.trim().split('\n').sort()
  const asked = (targets: readonly string[], bytes = 10) =>
    run(
      `for(const path of ['${targets.join("','")}']){const r=require('http').request({agent:false,method:'POST',host:'127.0.0.1',port:3128,path},(r)=>{let n=0;r.on('data',(d)=>{n+=d.length}).on('end',()=>console.log(path,r.statusCode,n))});r.end(Buffer.alloc(${bytes}))}`
    )
  const allowed = `http://127.0.0.1:${port}/`
  t.same(await asked([allowed], 3_000_000), [`${allowed} 200 3000000`], 'both ways')
  const others = [`http://127.0.0.1:${other}/`, 'http://evil.example/', 'http://169.254.169.254/']
  t.same(
    await asked([allowed, ...others]),
    [`${allowed} 200 10`, ...others.map((it) => `${it} 403 0`)].sort()
  )
  const addresses = [String(port), String(other), "53,'169.254.169.254'", "80,'10.0.0.1'"]
  const direct = await run(
    `for(const to of [${addresses.map((it) => `[${it}]`).join()}])require('net').connect(...to).on('connect',()=>console.log('connected')).on('error',(e)=>console.log(e.code))`
  )
  t.equal(direct.length, addresses.length)
  for (const code of direct) t.match(code, /^(ECONNREFUSED|ENETUNREACH)$/)
  await ada.put(of(id, '/config'), { allowedHosts: [] })
  t.same(await asked([allowed]), [`${allowed} 403 0`], 'a change holds at once')
  await ada.put(of(id, '/config'), { enabled: false })
  t.same(await cluster.pods(), [])
})

t.test('a pod that was taken away is told of, and made again', { skip }, async (t) => {
  const { id, exec, state } = await computer()
  await exec('echo kept >note')
  const [pod] = await cluster.pods()
  const cut = exec('sleep 300')
  await until(
    async () => (await ada.get(of(id, '/commands?status=running'))).body.data,
    ({ length }) => length === 1
  )
  await client.delete(`${paths.pods}/${pod.metadata.name}`)
  t.match(await cut, { status: 'failed', reason: 'computer_lost' })
  t.match(await until(state, (it) => it.state !== 'awake'), { state: 'asleep', reason: 'computer_lost' })
  t.match(await exec('cat note; pgrep -f 300'), { stdout: 'kept\n' })

  t.match(await exec('kill -TERM 1; sleep 60'), { status: 'failed', reason: 'computer_lost' })
  t.match(await exec('cat note'), { stdout: 'kept\n' }, 'also where it ended itself')
  await ada.post(of(id, '/sleep'))
})

t.test('a pod that never starts says why, and leaves nothing', { skip }, async (t) => {
  const { id, exec, state } = await computer({ image: 'registry.example/absent:1' })
  t.match(await ada.post(of(id, '/wake')), {
    status: 503,
    body: { error: { code: 'computer_failed', message: /ImagePullBackOff.*registry\.example\/absent:1/ } }
  })
  t.match(await state(), { state: 'failed', reason: /ImagePullBackOff/ })
  t.same(await cluster.pods(), [])
  await ada.put(of(id, '/config'), { image: null })
  t.match(await exec('echo fine'), { stdout: 'fine\n' })
  await ada.post(of(id, '/sleep'))

  const unplaced = createKubernetes({
    ...{ cluster: cluster.kubeconfig, namespace: cluster.namespace, images: [IMAGE], storageClass: '' },
    ...{ gpu: '', placement: '{"nodeSelector":{"kind":"none"}}', startMs: 1_000 },
    installation: async () => 'a'.repeat(32)
  })
  t.match(await unplaced.look(), { usable: false, reason: /in time: Unschedulable: 0\/1 nodes/ })
  t.same(await cluster.pods(), [])
})

t.test('pods and claims of others are left alone', { skip }, async (t) => {
  const { id, exec } = await computer()
  await exec('echo mine >note')
  const [own] = await cluster.pods()
  const { name, labels } = own.metadata
  const stranger = (name: string, labels: object) =>
    client.post(paths.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: { ...own.spec, nodeName: 'elsewhere' }
    })
  await stranger('of-another', {
    ...labels,
    'agent-platform/installation': '0'.repeat(32),
    'agent-platform/computer': '1'
  })
  await stranger('orphan', { ...labels, 'agent-platform/computer': '4711' })
  await reconcile()
  t.same((await names()).sort(), [name, 'of-another'].sort(), 'what is ours and nobody holds has ended')
  await ada.post(of(id, '/sleep'))

  await stranger(name, { app: 'something' })
  t.match(await ada.post(of(id, '/wake')), {
    status: 503,
    body: { error: { message: new RegExp(`the pod ${name} is another's`) } }
  })
  await reconcile()
  t.ok((await names()).includes(name), 'also where it has the name of one of ours')
  for (const it of [name, 'of-another']) await client.delete(`${paths.pods}/${it}`, { gracePeriodSeconds: 0 })
  t.match(await exec('cat note'), { stdout: 'mine\n' })
  await ada.post(of(id, '/sleep'))
})

t.test(
  'the role has what was asked for in all of this, and no more',
  { skip: skip || (!cluster.asked() && 'a real API server does not tell what it was asked for') },
  async (t) => {
    const nameOf = (verb: string, group: string, resource: string) =>
      `${verb} ${resource} of ${group || 'core'}`
    const { rules: given } = await client.get(`${paths.roles}/agent-platform-computers`)
    const rights = given.flatMap(({ apiGroups, resources, verbs }: Thing) =>
      apiGroups.flatMap((group: string) =>
        resources.flatMap((resource: string) => verbs.map((verb: string) => nameOf(verb, group, resource)))
      )
    )
    // Which everyone may, by `system:basic-user`.
    const review = 'authorization.k8s.io'
    const asked = (cluster.asked() ?? [])
      .filter(({ group }) => group !== review)
      .map(({ verb, group, resource, part }) => nameOf(verb, group, part ? `${resource}/${part}` : resource))
    t.same([...new Set(asked)].sort(), rights.sort())
    const checked = rules.flatMap(({ verbs, group, resource }) =>
      verbs.map((it) => nameOf(it, group, resource))
    )
    t.same(checked.sort(), rights, 'which is what is checked before the first computer')
    const elsewhere = (cluster.asked() ?? []).filter(
      ({ namespace }) => ![cluster.namespace, ''].includes(namespace)
    )
    t.same(elsewhere, [], 'in its namespace alone')
  }
)
