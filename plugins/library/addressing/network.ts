import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Objects } from '../../storage/contract.ts'
import type { LibrarySettings } from '../settings.ts'
import type { ItemRow } from '../stores/items.ts'

export type Network = ReturnType<typeof createNetwork>

interface Deps {
  settings: LibrarySettings
  outgoing: Outgoing
  storage: Objects
}

const MOST_BYTES = 65_536
const TIMEOUT_MS = 240_000
/** As `cid.ts` pins them, in the words of Kubo. */
const FORM = {
  'cid-version': '1',
  'raw-leaves': 'true',
  chunker: 'size-1048576',
  'max-file-links': '1024',
  pin: 'true',
  progress: 'false'
}

/** A node of the content-addressed network (the RPC API of Kubo), where the settings name one: it pins what it is given. */
export function createNetwork({ settings, outgoing, storage }: Deps) {
  /** The bytes lie there under that CID when it returns; 502 where the node made another one of them. */
  async function add({ sha256 }: Pick<ItemRow, 'sha256'>, cid: string, signal: AbortSignal): Promise<void> {
    if (settings.ipfsUrl === undefined) return
    const boundary = randomUUID()
    const url = new URL('/api/v0/add', settings.ipfsUrl)
    url.search = new URLSearchParams(FORM).toString()
    const content = await storage.open(sha256)
    try {
      const reply = await outgoing.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          ...(settings.ipfsKey !== undefined && { authorization: `Bearer ${settings.ipfsKey}` })
        },
        body: Readable.toWeb(Readable.from(form(boundary, content))) as never,
        redirect: 'error',
        maxBytes: MOST_BYTES,
        timeoutMs: TIMEOUT_MS,
        signal
      })
      const text = await reply.text()
      if (!reply.ok) throw upstreamFailed(`The node answered ${reply.status}`, { code: 'ipfs_node' })
      if (hashOf(text) !== cid)
        throw upstreamFailed('The node made another CID of the bytes', { code: 'ipfs_node' })
    } finally {
      content.destroy()
    }
  }

  return { add }
}

/** Without the name that a person gave it, which the network need not know. */
async function* form(boundary: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = 'Content-Disposition: form-data; name="file"; filename="file"'
  yield Buffer.from(`--${boundary}\r\n${head}\r\nContent-Type: application/octet-stream\r\n\r\n`)
  yield* content
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

function hashOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { Hash?: unknown }).Hash
  } catch {
    return undefined
  }
}
