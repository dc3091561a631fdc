import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packText, temporaryFolder, writeFiles } from '../pack-folders.ts'
import type { Scope } from './place.ts'

/** A call that reached the service behind a tool. */
interface Hit {
  readonly callId: string
  readonly runId: string
}

/** A pack with one tool, each call of which is a request to that address. */
const toolPack = (name: string, idempotent: boolean, url: string) =>
  packText(
    name,
    `contributes: { 'runs.tools': [{ make: () => ({ offer: async () => [{
      name: '${name}',
      parameters: { type: 'object' },
      idempotent: ${idempotent},
      async call({ id, run, signal }) {
        const body = JSON.stringify({ callId: id, runId: run.id })
        const answer = await fetch('${url}', { method: 'POST', body, signal })
        return { output: await answer.text() }
      }
    }] }) }] }`
  )

/** Two packs, each with a tool of its name, and the service that both call: it remembers every call. */
export async function startTools(t: Scope) {
  const hits: Hit[] = []
  const pace = { takes: 15 }
  const heard = new EventEmitter()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const hit: Hit = JSON.parse(text)
    hits.push(hit)
    heard.emit('hit')
    await delay(pace.takes, undefined, { ref: false })
    response.end(`done ${hit.callId}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close().closeAllConnections())
  /** Ids of the calls that were made for a run, in order. */
  const of = (run: string) => hits.filter(({ runId }) => runId === run).map(({ callId }) => callId)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = await temporaryFolder(t)
  for (const name of ['again', 'once'])
    await writeFiles(join(folder, name), { 'pack.ts': toolPack(name, name === 'again', url) })
  return {
    folder,
    packs: ['again', 'once'],
    /** Milliseconds that a call takes. */
    pace,
    of,
    /** Resolves when so many calls were made for a run. */
    async reached(run: string, count: number): Promise<void> {
      while (of(run).length < count) await once(heard, 'hit')
    }
  }
}
