import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, openArchive } from 'agent-platform'
import type { Packed } from '../../../test/archives.ts'
import { zipOf } from '../../../test/archives.ts'
import type { Client } from '../../../test/client.ts'
import { part, upload } from '../../../test/uploads.ts'

/** The reply of `read` once it ended; each look is a request. */
async function ended(client: Client, path: string) {
  for (;;) {
    const { body } = await client.get(path)
    if (['completed', 'failed'].includes(body.data.status)) return body.data
  }
}

/** Exports an agent, and gives the record and the bytes. */
export async function exported(client: Client, agentId: string, include: readonly string[] = []) {
  const { status, body } = await client.post(`/v1/agents/${agentId}/export`, { include })
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  const record = await ended(client, `/v1/agents/exports/${body.data.id}`)
  return { record, bytes: record.fileId ? await bytesOf(client, record.fileId) : Buffer.alloc(0) }
}

export async function bytesOf(client: Client, fileId: string): Promise<Buffer> {
  const key = await client.key()
  const { body } = await client.get(`/v1/files/${fileId}`)
  const reply = await fetch(`${addressOf(client)}/v1/files/${fileId}/content`, {
    headers: { authorization: `Bearer ${key}` }
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (createHash('sha256').update(bytes).digest('hex') !== body.data.sha256) throw new Error('Other bytes')
  return bytes
}

const addresses = new WeakMap<Client, string>()
/** Clients do not tell where they ask. */
export const at = (url: string, client: Client): Client => {
  addresses.set(client, url)
  return client
}
const addressOf = (client: Client) => addresses.get(client) ?? ''

export async function uploaded(client: Client, bytes: Uint8Array): Promise<string> {
  const { body } = await upload(client, [part('an.agent.zip', bytes)])
  return body.data.id
}

export const examined = async (client: Client, bytes: Uint8Array, options: object = {}) =>
  client.post('/v1/agents/import?dryRun=true', { fileId: await uploaded(client, bytes), ...options })

/** Imports an archive, and gives the record once it ended; or what the request answered where it was refused. */
export async function imported(client: Client, bytes: Uint8Array, options: object = {}) {
  const fileId = await uploaded(client, bytes)
  const { status, body } = await client.post('/v1/agents/import', { fileId, ...options })
  return status === 202 ? ended(client, `/v1/agents/imports/${body.data.id}`) : { status, ...body }
}

export interface Content {
  readonly manifest: {
    readonly parts: readonly { readonly pack: string }[]
    readonly needs: readonly object[]
  }
  readonly paths: readonly string[]
  /** Of each pack. */
  readonly records: Readonly<Record<string, readonly { kind: string; data: Record<string, unknown> }[]>>
  readonly files: Readonly<Record<string, string>>
  readonly text: string
}

/** What an archive has, unpacked. */
export async function contentOf(folder: string, bytes: Uint8Array): Promise<Content> {
  const path = join(folder, `${createHash('sha256').update(bytes).digest('hex')}.zip`)
  await writeFile(path, bytes)
  const caps = { entries: 20_000, bytes: 1e9, fileBytes: 1e9, ratio: 2_000 }
  const { files, close } = await openArchive(path, caps)
  const read = new Map<string, Buffer>()
  for (const file of files) read.set(file.path, await file.read())
  close()
  const manifest = JSON.parse(String(read.get('manifest.json')))
  const records = Object.fromEntries(
    manifest.parts.map(({ pack }: { pack: string }) => [
      pack,
      String(read.get(`parts/${pack}.jsonl`))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    ])
  )
  const texts = Object.fromEntries([...read].map(([name, bytes]) => [name, String(bytes)]))
  return {
    manifest,
    records,
    files: texts,
    paths: [...read.keys()],
    text: Buffer.concat([...read.values()]).toString('latin1')
  }
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

interface Forged {
  /** Lines of each part. */
  readonly parts: Readonly<Record<string, string>>
  readonly blobs?: readonly string[]
  /** Of parts; left out: the first. */
  readonly versions?: Readonly<Record<string, number>>
  readonly manifest?: object
  /** Has its say in what is packed. */
  readonly files?: (files: Packed[]) => Packed[]
}

export const line = (kind: string, data: object) => `${JSON.stringify({ kind, data })}\n`
/** Bytes of the record before it. */
export const bytesLine = (text: string) => line('bytes', { base64: Buffer.from(text).toString('base64') })
export const agentLine = (fields: object = {}) =>
  line('agent', {
    id: 'agent_01k4qz0000e0080000000000ab',
    name: 'Forged',
    instructions: null,
    modelProvider: null,
    modelId: null,
    temperature: null,
    maxTokens: null,
    ...fields
  })

/** An archive that nobody signed, right but for what is asked for. */
export function forge(forged: Forged): Buffer {
  const { parts, blobs = [], versions = {}, manifest = {}, files = (same) => same } = forged
  const about = Object.entries(parts).map(([pack, text]) => ({
    pack,
    version: versions[pack] ?? 1,
    records: text.split('\n').length - 1,
    size: Buffer.byteLength(text),
    sha256: sha256(text)
  }))
  const whole = {
    format: 'agent-platform-archive',
    version: 1,
    madeAt: '2026-01-01T00:00:00.000Z',
    platform: '0',
    issuer: 'http://elsewhere',
    agentName: 'Forged',
    parts: about,
    blobs: blobs.map((bytes) => ({ sha256: sha256(bytes), size: Buffer.byteLength(bytes) })),
    needs: [],
    leftOut: [],
    ...manifest
  }
  return zipOf(
    files([
      ...Object.entries(parts).map(([pack, content]) => ({ name: `parts/${pack}.jsonl`, content })),
      ...blobs.map((content) => ({ name: `blobs/${sha256(content)}`, content })),
      { name: 'manifest.json', content: canonicalJson(whole) }
    ])
  )
}

/** A skill as the record of one has it, with nothing in it but what is given. */
export const blankSkill = {
  name: 'brew',
  description: 'x',
  license: null,
  compatibility: null,
  metadata: {},
  allowedTools: [],
  extensions: {},
  instructions: '',
  files: [] as object[]
}
