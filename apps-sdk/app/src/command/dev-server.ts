import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'agent-platform-client'
import { bundleModule } from '../bundle/bundle-module.ts'
import type { LoadedApp } from '../bundle/load-app.ts'

interface DevServerOptions {
  readonly port: number
  readonly platform: Client
  /** As it is now. */
  app(): Pick<LoadedApp, 'manifest' | 'files'>
}

const MAX_BODY = 2_097_152
const document = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Apps</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:1rem}nav{display:flex;gap:1rem;margin-bottom:1rem}
main{border:1px solid #8888}</style><nav></nav><main></main><script type="module" src="host.js"></script>`

/**
 * Shows the pages of an app, and passes on what they ask for with the author's key, which no page sees. The address has a secret in it
 * for this run, and other sites and other names of this machine are answered nothing.
 */
export async function createDevServer({ port, platform, app }: DevServerOptions) {
  const secret = `/${randomBytes(16).toString('hex')}/`
  const own = new URL(`../host/dev-page${extname(fileURLToPath(import.meta.url))}`, import.meta.url)
  const { text: script } = await bundleModule(fileURLToPath(own), 'page')
  const listeners = new Set<ServerResponse>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    const json = (status: number, body: unknown) => send(status, 'application/json', JSON.stringify(body))
    const { host, 'content-type': type } = request.headers
    const path = request.url?.startsWith(secret) ? request.url.slice(secret.length) : undefined
    if (path === undefined || !names().includes(host ?? '')) return void json(404, { error: 'Not found' })
    const { manifest, files } = app()
    if (path === '') return void send(200, 'text/html; charset=utf-8', document)
    if (path === 'host.js') return void send(200, 'text/javascript; charset=utf-8', script)
    if (path === 'app') {
      const pages = manifest.pages.map(({ name, title, entry }) => ({
        name,
        title,
        html: files.get(entry)?.toString() ?? ''
      }))
      return void json(200, { pages })
    }
    if (path === 'changes') {
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        .flushHeaders()
      listeners.add(response)
      return void response.on('close', () => listeners.delete(response))
    }
    if (path === 'gateway' && request.method === 'POST' && type === 'application/json') {
      const body = JSON.parse(await textOf(request))
      const params = { path: { pluginId: manifest.id } }
      try {
        const order = { params, body, idempotencyKey: false } as const
        return void json(200, await platform.post('/v1/ui-plugins/{pluginId}/gateway', order))
      } catch (error) {
        const { code, type, message } = error as { code?: string; type?: string; message: string }
        return void json(200, { error: { code: code ?? type ?? 'failed', message } })
      }
    }
    json(404, { error: 'Not found' })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(400)
      response.end()
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const at = (server.address() as AddressInfo).port
  const names = () => [`127.0.0.1:${at}`, `localhost:${at}`]

  return {
    url: `http://127.0.0.1:${at}${secret}`,
    reload() {
      for (const response of listeners) response.write('data: changed\n\n')
    },
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BODY) throw new Error('too large')
  }
  return text
}
