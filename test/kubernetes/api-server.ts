import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { certificateAuthority } from '../certificates.ts'
import type { Access, Thing } from './client.ts'
import { violations } from './pod-security.ts'
import { createResource, kinds, Refused } from './resources.ts'

const PATH =
  /^\/(?:api|apis\/([^/]+))\/v1(?:\/namespaces\/([^/]+)(?=\/.))?\/([a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/
const METADATA = /as=PartialObjectMetadataList/

interface Asked {
  readonly group: string
  readonly namespace: string
  readonly resource: string
  readonly name: string | undefined
  readonly part: string | undefined
  readonly verb: string
}
/** What it was asked, allowed or not, and by whom. */
interface Request extends Omit<Asked, 'name'> {
  readonly user: string
  readonly body: Thing
}

/**
 * Stands for an API server where there is none: objects in memory, roles, and what the nodes say of their pods. What it answers was
 * written by the documentation, and has not been compared with a real one yet.
 */
export async function startApiServer() {
  const authority = certificateAuthority()
  const resources = new Map<string, ReturnType<typeof createResource>>()
  const requests: Request[] = []
  const admin = randomBytes(16).toString('hex')
  const users = new Map([[admin, 'admin']])
  const of = (namespace: string, resource: string) => {
    const key = `${namespace}/${resource}`
    let found = resources.get(key)
    if (!found) resources.set(key, (found = createResource(resource)))
    return found
  }

  function userOf(request: IncomingMessage): string {
    const user = users.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (!user) throw new Refused(401, 'Unauthorized', 'Unauthorized')
    return user
  }
  /** By the roles that are bound in that namespace. */
  function may(user: string, { namespace, group, resource, part, verb }: Omit<Asked, 'name'>): boolean {
    if (user === 'admin' || group === 'authorization.k8s.io') return true
    const bound = of(namespace, 'rolebindings')
      .all()
      .filter(({ subjects }) =>
        subjects.some((it: Thing) => user === `system:serviceaccount:${it.namespace}:${it.name}`)
      )
    const wanted = part && part !== 'status' ? `${resource}/${part}` : resource
    return bound
      .flatMap(({ roleRef }) => of(namespace, 'roles').find(roleRef.name).rules)
      .some(
        (rule: Thing) =>
          rule.apiGroups.includes(group) && rule.resources.includes(wanted) && rule.verbs.includes(verb)
      )
  }
  function read(request: IncomingMessage, url: URL, body?: Thing): Asked & { user: string } {
    const [, group = '', namespace = '', resource = '', name, part] = PATH.exec(url.pathname) ?? []
    const user = userOf(request)
    const isWatch = url.searchParams.has('watch')
    const verbs: Readonly<Record<string, string>> = {
      GET: name ? 'get' : isWatch ? 'watch' : 'list',
      POST: 'create',
      PATCH: 'patch',
      DELETE: 'delete'
    }
    const asked = { group, namespace, resource, name, part, verb: verbs[request.method ?? ''] ?? '' }
    // Since 1.35 a stream by WebSocket takes both rights: kubernetes/kubernetes#134577.
    for (const verb of part === 'exec' ? [asked.verb, 'create'] : [asked.verb]) {
      requests.push({ user, group, namespace, resource, part, verb, body })
      allow(user, { ...asked, verb })
    }
    return { ...asked, user }
  }
  function allow(user: string, asked: Asked): void {
    if (may(user, asked)) return
    const { group, namespace, resource, name, part, verb } = asked
    const what = `${name ? `${resource} "${name}"` : resource} is forbidden`
    const within = `in API group "${group}" in the namespace "${namespace}"`
    const wanted = part ? `${resource}/${part}` : resource
    const why = `User "${user}" cannot ${verb} resource "${wanted}" ${within}`
    throw new Refused(403, 'Forbidden', `${what}: ${why}`)
  }

  function review(user: string, { spec }: Thing): Thing {
    const { namespace, group = '', resource, subresource: part, verb } = spec.resourceAttributes
    return {
      kind: 'SelfSubjectAccessReview',
      status: { allowed: may(user, { namespace, group, resource, part, verb }) }
    }
  }
  function defaults(asked: Asked, given: Thing): Thing {
    const [prefix] = [asked.group ? `${asked.group}/` : '']
    const typed = { apiVersion: `${prefix}v1`, kind: kinds[asked.resource], ...given }
    if (asked.namespace) typed.metadata = { ...given.metadata, namespace: asked.namespace }
    if (asked.resource === 'pods') typed.status = { phase: 'Pending' }
    if (asked.resource === 'persistentvolumeclaims') typed.status = { phase: 'Pending' }
    return typed
  }
  /** As the admission of Pod Security has it, by the label of the namespace. */
  function admit({ namespace, resource }: Asked, given: Thing): void {
    if (resource !== 'pods') return
    const { metadata } = of('', 'namespaces').find(namespace)
    if (metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted') return
    const found = violations(given)
    if (found.length === 0) return
    const why = `violates PodSecurity "restricted:latest": ${found.join(', ')}`
    throw new Refused(403, 'Forbidden', `pods "${given.metadata.name}" is forbidden: ${why}`)
  }
  /** A volume grows where its class lets it. */
  function checkChange({ namespace, resource, name = '', part }: Asked, changes: Thing): void {
    const claim = resource === 'persistentvolumeclaims' && !part && of(namespace, resource).find(name)
    if (!claim || !changes.spec?.resources) return
    const known = of('', 'storageclasses').all()
    const itsClass = known.find(({ metadata }) => metadata.name === claim.spec.storageClassName)
    if (claim.status.phase === 'Bound' && itsClass?.allowVolumeExpansion) return
    throw new Refused(
      403,
      'Forbidden',
      `persistentvolumeclaims "${name}" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize`
    )
  }

  function list(asked: Asked, url: URL, accept: string): Thing {
    const wanted = (url.searchParams.get('labelSelector') ?? '').split(',').filter(Boolean)
    const found = of(asked.namespace, asked.resource)
      .all()
      .filter(({ metadata }) =>
        wanted.every((it) => {
          const [label = '', value] = it.split('=')
          return metadata.labels?.[label] === value
        })
      )
    const at = Number(url.searchParams.get('continue') ?? 0)
    const limit = Number(url.searchParams.get('limit') ?? 0) || found.length
    const items = found.slice(at, at + limit)
    const more = at + limit < found.length && { continue: String(at + limit) }
    const isPartial = METADATA.test(accept)
    return {
      kind: isPartial ? 'PartialObjectMetadataList' : `${kinds[asked.resource]}List`,
      apiVersion: isPartial ? 'meta.k8s.io/v1' : asked.group ? `${asked.group}/v1` : 'v1',
      metadata: { resourceVersion: '1', ...more },
      items: isPartial ? items.map(({ metadata }) => ({ metadata })) : items
    }
  }

  function watch(asked: Asked, reply: ServerResponse): void {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.flushHeaders()
    const stop = of(asked.namespace, asked.resource).listen((type, object) =>
      reply.write(`${JSON.stringify({ type, object })}\n`)
    )
    reply.on('close', stop)
  }

  async function answer(
    request: IncomingMessage,
    reply: ServerResponse
  ): Promise<[number, Thing] | undefined> {
    const url = new URL(request.url ?? '', 'https://api')
    const body = await text(request)
    const given: Thing = body ? JSON.parse(body) : undefined
    const asked = read(request, url, given)
    const { user, namespace, resource, name, part, verb } = asked
    if (resource === 'selfsubjectaccessreviews') return [201, review(user, given)]
    const those = of(namespace, resource)
    if (verb === 'watch') return void watch(asked, reply)
    if (verb === 'list') return [200, list(asked, url, request.headers.accept ?? '')]
    if (verb === 'get') return [200, those.find(name ?? '')]
    if (verb === 'create' && part === 'token') {
      const token = randomBytes(16).toString('hex')
      users.set(token, `system:serviceaccount:${namespace}:${name}`)
      return [201, { kind: 'TokenRequest', status: { token } }]
    }
    if (part === 'binding') {
      those.change(name ?? '', { spec: { nodeName: given.target.name } })
      return [201, { kind: 'Status', status: 'Success' }]
    }
    if (verb === 'create') {
      admit(asked, given)
      return [201, those.create(defaults(asked, given))]
    }
    if (verb === 'patch') {
      checkChange(asked, given)
      return [200, those.change(name ?? '', given)]
    }
    return [200, those.remove(name ?? '', given)]
  }
  const statusOf = (error: unknown): [number, Thing] => {
    if (!(error instanceof Refused)) throw error
    const { status: code, reason, message } = error
    return [
      code,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
    ]
  }

  const server = createServer(authority.issue(['127.0.0.1']), async (request, reply) => {
    const told = await answer(request, reply).catch(statusOf)
    if (!told) return
    reply.writeHead(told[0], { 'content-type': 'application/json' }).end(JSON.stringify(told[1]))
  })
  /** A stream of a pod goes to its node, as it comes. */
  server.on('upgrade', (request, socket: Duplex, head) => {
    const fail = (error: unknown) => {
      const [code, body] = statusOf(error)
      const said = JSON.stringify(body)
      socket.end(`HTTP/1.1 ${code} No\r\ncontent-length: ${Buffer.byteLength(said)}\r\n\r\n${said}`)
    }
    try {
      const url = new URL(request.url ?? '', 'https://api')
      const { namespace, name = '' } = read(request, url)
      const pod = of(namespace, 'pods').find(name)
      const { status } = of('', 'nodes').find(pod.spec.nodeName)
      const query = url.search.replace('stdin=true', 'input=1')
      const path = `/exec/${namespace}/${name}/${url.searchParams.get('container')}${query}`
      const node = { host: '127.0.0.1', port: status.daemonEndpoints.kubeletEndpoint.Port }
      const headers = { ...request.headers, authorization: '' }
      const asked = httpsRequest({ ...node, path, headers, rejectUnauthorized: false })
      asked.on('upgrade', (reply, other, rest) => {
        const lines = Object.entries(reply.headers).map(([field, value]) => `${field}: ${value}\r\n`)
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
        if (rest.length > 0) socket.write(rest)
        if (head.length > 0) other.write(head)
        socket.pipe(other).pipe(socket)
        for (const [one, two] of [
          [socket, other],
          [other, socket]
        ] as const)
          one.on('error', () => two.destroy()).on('close', () => two.destroy())
      })
      asked.on('response', () => fail(new Refused(404, 'NotFound', 'the node has no such container')))
      asked.on('error', () => fail(new Refused(500, 'InternalError', 'error dialing backend')))
      asked.end()
    } catch (error) {
      fail(error)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const access: Access = { url: `https://127.0.0.1:${port}`, ca: authority.cert, token: admin }
  return {
    access,
    requests,
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      })
  }
}
