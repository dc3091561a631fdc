import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../kernel/deployment.ts'
import { noComputers } from '../computers.ts'
import { proxy } from '../proxy.ts'
import { startApiServer } from './api-server.ts'
import type { Access, Thing } from './client.ts'
import { createKubernetesClient } from './client.ts'
import { startKubelet } from './kubelet.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
export const IMAGE = 'node:24'
export const OTHER = 'registry.example/tools:1'

/** Why tests with pods are skipped here; false where they are not. */
export async function noKubernetes(): Promise<string | false> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'pods are tested as root on Linux'
  return noComputers()
}

/**
 * A cluster of the test's own: an API server in this process, or by `TEST_KUBERNETES`, the path of an administrator's kubeconfig, a
 * real one without nodes; and a node of this machine. The namespace is that of `deploy/kubernetes-computers`, and whoever has
 * `kubeconfig` may what it says.
 */
export async function startCluster(t: Scope, { growing = true } = {}) {
  const real = process.env.TEST_KUBERNETES
  const standIn = real ? undefined : await startApiServer()
  const access = standIn ? standIn.access : accessOf(parse(readFileSync(real as string, 'utf8')))
  const client = createKubernetesClient(access)
  const mark = randomBytes(4).toString('hex')
  const [namespace, storageClass] = [`computers-${mark}`, `class-${mark}`]
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-cluster-'))
  const made = async (path: string, body: object) => {
    const { status, body: said } = await client.post(path, body)
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(said)}`)
    return said
  }
  const manifest = (name: string) =>
    parse(readFileSync(join(root, 'deploy/kubernetes-computers', name), 'utf8'))
  const space = manifest('namespace.yaml')
  await made('/api/v1/namespaces', { ...space, metadata: { ...space.metadata, name: namespace } })
  await made('/apis/storage.k8s.io/v1/storageclasses', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: storageClass },
    provisioner: 'example.com/of-a-test',
    allowVolumeExpansion: growing
  })
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  await made(`${rbac}/roles`, manifest('role.yaml'))
  const account = { kind: 'ServiceAccount', name: 'agent-platform', namespace }
  await made(`${rbac}/rolebindings`, { ...manifest('role-binding.yaml'), subjects: [account] })
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
  await made(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account.name } })
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await made(`${accounts}/${account.name}/token`, asked)

  const { hostname: host, port } = new URL(access.url)
  const door = await proxy(t, { host, port: Number(port) })
  const kubeconfig = join(folder, 'kubeconfig')
  const given = { url: `https://127.0.0.1:${door.port}`, ca: access.ca }
  const write = (token: string) =>
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf({ ...given, token })))
  write(status.token)
  const node = { client, name: `node-${mark}`, namespace, folder, images: [IMAGE, OTHER] }
  const kubelet = await startKubelet({ ...node, service: { host, port } })
  t.teardown(async () => {
    await kubelet.stop()
    await client.delete(`/api/v1/namespaces/${namespace}`)
    await standIn?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const core = `/api/v1/namespaces/${namespace}`
  return {
    client,
    kubelet,
    namespace,
    storageClass,
    kubeconfig,
    door,
    write,
    token: status.token as string,
    /** What the platform has asked, oldest first; undefined of a real API server, which does not tell. */
    asked: () => standIn?.requests.filter(({ user }) => user.startsWith('system:serviceaccount:')),
    paths: {
      pods: `${core}/pods`,
      claims: `${core}/persistentvolumeclaims`,
      policies: `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`,
      roles: `${rbac}/roles`
    },
    pods: async (): Promise<Thing[]> => (await client.get(`${core}/pods`)).items,
    claims: async (): Promise<Thing[]> => (await client.get(`${core}/persistentvolumeclaims`)).items,
    env: {
      COMPUTERS_KUBERNETES: kubeconfig,
      COMPUTERS_KUBERNETES_NAMESPACE: namespace,
      COMPUTERS_KUBERNETES_IMAGE: IMAGE,
      COMPUTERS_KUBERNETES_IMAGES: `${OTHER}, registry.example/absent:1`,
      COMPUTERS_KUBERNETES_STORAGE_CLASS: storageClass
    }
  }
}

const kubeconfigOf = ({ url, ca, token }: Access) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  clusters: [
    {
      name: 'test',
      cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
    }
  ],
  users: [{ name: 'test', user: { token } }]
})

/** Of an administrator's kubeconfig, whose data stand in it. */
function accessOf(config: Thing): Access {
  const [{ cluster }] = config.clusters
  const [{ user }] = config.users
  const textOf = (data?: string) => data && Buffer.from(data, 'base64').toString()
  return {
    url: cluster.server,
    ca: textOf(cluster['certificate-authority-data']) as string,
    token: user.token,
    cert: textOf(user['client-certificate-data']),
    key: textOf(user['client-key-data'])
  }
}
