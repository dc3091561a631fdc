// budget: 8 s, because an image is pulled into a daemon, and a container is made of it
// tier: long
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { dockerDaemon, IMAGE, noDocker } from '../../../test/docker.ts'

/** A registry of one image, as far as pulling needs one: what `podman save` wrote, by its digests. */
async function registry(t: { teardown(work: () => unknown): unknown }, layout: string) {
  const asked: string[] = []
  const server = createServer(async (request, reply) => {
    asked.push(request.url ?? '')
    const [, kind, digest] =
      /^\/v2\/tools\/(manifests|blobs)\/(?:sha256:)?([a-z0-9.]+)$/.exec(request.url ?? '') ?? []
    if (request.url === '/v2/') return void reply.end('{}')
    if (!kind) return void reply.writeHead(404).end()
    const { manifests } = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8'))
    const [{ digest: top, mediaType }] = manifests
    const name = digest === '1' ? top.slice(7) : digest
    const file = createReadStream(join(layout, 'blobs', 'sha256', name))
    file.on('error', () => reply.writeHead(404).end())
    reply.setHeader('content-type', kind === 'manifests' ? mediaType : 'application/octet-stream')
    reply.setHeader('docker-content-digest', `sha256:${name}`)
    if (request.method === 'HEAD') return void reply.end()
    file.pipe(reply)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { host: `127.0.0.1:${port}`, asked }
}

t.test(
  'an image that is not there is pulled, where a setting says so, and not otherwise',
  { skip: await noDocker() },
  async (t) => {
    const layout = join(t.testdir(), 'saved')
    const { host, asked } = await registry(t, layout)
    const daemon = await dockerDaemon(t, [], host)
    await daemon.podman('save', '--quiet', '--format', 'oci-dir', '--output', layout, IMAGE)
    await daemon.podman('rmi', IMAGE)
    const image = `${host}/tools:1`
    const tried = async (env: Record<string, string>) => {
      const ada = (await boot(t, 'computers', { env: { DOCKER_HOST: daemon.host, ...env } })).as('ada')
      const { id } = await ada.agent()
      const size = { memoryMb: 256, storageMb: 32 }
      await ada.put(`/v1/agents/${id}/computer/config`, { enabled: true, provider: 'docker', ...size })
      return ada.post(`/v1/agents/${id}/computer/exec`, { command: 'cat /etc/image' })
    }
    t.match(await tried({ COMPUTERS_DOCKER_IMAGE: image }), {
      status: 503,
      body: { error: { code: 'capability_missing', message: /docker pull 127\.0\.0\.1/ } }
    })
    t.same(asked, [], 'the registry was not asked')
    const unknown = await tried({ COMPUTERS_DOCKER_IMAGE: `${host}/tools:2`, COMPUTERS_DOCKER_PULL: 'true' })
    t.match(unknown, { status: 503, body: { error: { code: 'capability_missing', message: /tools:2/ } } })
    t.match(await tried({ COMPUTERS_DOCKER_IMAGE: image, COMPUTERS_DOCKER_PULL: 'true' }), {
      status: 200,
      body: { data: { stdout: 'of a test\n' } }
    })
    t.ok(asked.length > 0)
  }
)
