import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { certificateAuthority } from '../certificates.ts'
import type { KubernetesClient, Thing } from './client.ts'
import type { Container } from './sandbox.ts'
import { runContainer } from './sandbox.ts'

interface Options {
  readonly client: KubernetesClient
  readonly name: string
  readonly namespace: string
  /** For volumes. */
  readonly folder: string
  readonly images: readonly string[]
  /** Where pods find the API server. */
  readonly service: { readonly host: string; readonly port: string }
}

/**
 * A node of a cluster, with its scheduler, its volumes and its network plugin, as far as computers need one: pods are processes of
 * this machine, confined by bubblewrap. All that it knows it has from the API server, and all that it does it tells there.
 */
export async function startKubelet({ client, name, namespace, folder, images, service }: Options) {
  const away = new AbortController()
  const running = new Map<string, Container>()
  /** By uid, what was begun already. */
  const begun = new Set<string>()
  /** Of a cluster whose network plugin knows no policies. */
  const network = { isEnforced: true }
  const pods = `/api/v1/namespaces/${namespace}/pods`
  const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`
  const report = (pod: Thing, status: object) =>
    client.patch(`${pods}/${pod.metadata.name}/status`, { status })
  const homeOf = (claim: Thing) => join(folder, claim.metadata.uid)

  const server = createServer(certificateAuthority().issue(['127.0.0.1']))
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' })
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', 'https://kubelet')
    const [, , , pod = ''] = url.pathname.split('/')
    const container = running.get(pod)
    if (!url.pathname.startsWith(`/exec/${namespace}/`) || !container)
      return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (stream) => {
      const child = container.exec(url.searchParams.getAll('command'))
      const send = (channel: number) => (bytes: Buffer) =>
        stream.send(Buffer.concat([Buffer.from([channel]), bytes]))
      child.stdout?.on('data', send(1))
      child.stderr?.on('data', send(2))
      child.stdin?.on('error', () => undefined)
      stream.on('message', (data) => {
        const bytes = data as Buffer
        if (bytes[0] === 0) child.stdin?.write(bytes.subarray(1))
      })
      stream.on('close', () => child.stdin?.end())
      child.once('close', (code) => {
        send(3)(Buffer.from(JSON.stringify({ status: code === 0 ? 'Success' : 'Failure' })))
        stream.close()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: Port } = server.address() as AddressInfo
  await client.post('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
  await client.patch(`/api/v1/nodes/${name}/status`, {
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port } },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }]
    }
  })

  const unplaced = (pod: Thing, message: string) =>
    report(pod, {
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
    })
  const stateOf = (pod: Thing, state: object, phase: string) => {
    const [{ name, image }] = pod.spec.containers
    const ready = phase === 'Running'
    const containerStatuses = [{ name, image, imageID: '', ready, restartCount: 0, state }]
    return report(pod, { phase, hostIP: '127.0.0.1', containerStatuses })
  }

  /** Undefined where there is no such claim, or none yet. */
  async function claimOf(pod: Thing): Promise<Thing | 'none' | undefined> {
    const named = pod.spec.volumes.find((it: Thing) => it.persistentVolumeClaim)
    if (!named) return 'none'
    const found = await client.get(`${claims}/${named.persistentVolumeClaim.claimName}`)
    return found.kind === 'Status' ? undefined : found
  }

  async function begin(pod: Thing): Promise<void> {
    const { name: podName } = pod.metadata
    if (Object.keys(pod.spec.nodeSelector ?? {}).length > 0)
      return void (await unplaced(pod, '0/1 nodes are available: 1 node(s) did not match node selector.'))
    const claim = await claimOf(pod)
    if (!claim) return void (await unplaced(pod, 'persistentvolumeclaim not found'))
    const target = { apiVersion: 'v1', kind: 'Node', name }
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: podName }, target }
    await client.post(`${pods}/${podName}/binding`, binding)
    const [container] = pod.spec.containers
    if (!images.includes(container.image)) {
      const waiting = {
        reason: 'ImagePullBackOff',
        message: `Back-off pulling image "${container.image}"`
      }
      return void (await stateOf(pod, { waiting }, 'Pending'))
    }
    const { items } = await client.get(`/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`)
    const isShut = items.some(({ spec }: Thing) =>
      Object.entries(spec.podSelector.matchLabels ?? {}).every(
        ([label, value]) => pod.metadata.labels[label] === value
      )
    )
    const env = Object.fromEntries(
      container.env.map(({ name, value }: Thing) => [name, value ?? '127.0.0.1'])
    )
    const started = await runContainer({
      pod,
      folder,
      home: claim === 'none' ? join(folder, pod.metadata.uid, 'home') : homeOf(claim),
      hasNetwork: !(isShut && network.isEnforced),
      env: { ...env, KUBERNETES_SERVICE_HOST: service.host, KUBERNETES_SERVICE_PORT: service.port }
    })
    running.set(podName, started)
    await stateOf(pod, { running: { startedAt: new Date().toISOString() } }, 'Running')
    const exitCode = await started.ended
    if (running.get(podName) === started) running.delete(podName)
    const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
    if (!away.signal.aborted)
      await stateOf(pod, { terminated }, exitCode === 0 ? 'Succeeded' : 'Failed').catch(() => undefined)
  }

  async function end(pod: Thing): Promise<void> {
    const started = running.get(pod.metadata.name)
    started?.kill()
    await started?.ended
    await client.delete(`${pods}/${pod.metadata.name}`, {
      gracePeriodSeconds: 0,
      preconditions: { uid: pod.metadata.uid }
    })
  }

  client.watch(
    pods,
    (type, pod) => {
      if (away.signal.aborted || type === 'ERROR') return
      if (type === 'DELETED') return running.get(pod.metadata.name)?.kill()
      const { uid, deletionTimestamp } = pod.metadata
      if (deletionTimestamp)
        return void end(pod).catch((error) => {
          if (!away.signal.aborted) throw error
        })
      if (begun.has(uid) || pod.spec.nodeName) return
      begun.add(uid)
      begin(pod).catch((error) => {
        if (!away.signal.aborted) throw error
      })
    },
    away.signal
  )
  client.watch(
    claims,
    (type, claim) => {
      if (type === 'DELETED') rmSync(homeOf(claim), { recursive: true, force: true })
      else if (type !== 'ERROR' && claim.status?.phase !== 'Bound')
        void client.patch(`${claims}/${claim.metadata.name}/status`, {
          status: { phase: 'Bound', capacity: claim.spec.resources.requests }
        })
    },
    away.signal
  )

  return {
    network,
    running,
    homeOf,
    async stop(): Promise<void> {
      away.abort()
      for (const container of running.values()) {
        container.kill()
        await container.ended
      }
      await client.delete(`/api/v1/nodes/${name}`).catch(() => undefined)
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  }
}
