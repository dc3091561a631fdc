import type { Kernel, Owned, Principal } from 'agent-platform'
import { canonicalJson, tooLarge } from 'agent-platform'
import type { Agent } from '../../agents/contract.ts'
import type { Provenance } from '../../provenance/contract.ts'
import type { ArchiveRecord, Blob, Need } from '../contract.ts'
import { linesOf } from '../format/bytes.ts'
import { piecesOf } from '../format/lines.ts'
import type { Manifest } from '../format/manifest.ts'
import { MANIFEST, pathOfBlob, pathOfPart, SIGNATURE } from '../format/manifest.ts'
import { statementOf } from '../format/signature.ts'
import type { ArchiveWriter } from '../format/writer.ts'
import type { Progress } from '../schemas/exports.ts'
import type { ArchiveSettings } from '../settings.ts'
import type { MountedPart } from './parts.ts'

export type Writing = ReturnType<typeof createWriting>

interface Deps extends Pick<Kernel, 'platform'> {
  settings: ArchiveSettings
  provenance: Provenance | undefined
}

interface Order {
  readonly by: Principal
  readonly agent: Agent & Owned
  readonly parts: readonly MountedPart[]
  readonly leftOut: readonly string[]
  readonly include: readonly string[]
  readonly signal: AbortSignal
  told(progress: Progress): Promise<unknown>
}

/** Of so many records how far it is gets told. */
const TELL = 1_000
const MOST_NEEDS = 10_000

/** Writes an archive: parts, the bytes that they name, the manifest of all that, and its signature. */
export function createWriting({ platform, settings, provenance }: Deps) {
  const full = (what: string) =>
    tooLarge(`The agent has more ${what} than an archive may have`, { code: 'archive_too_large' })

  async function write(writer: ArchiveWriter, order: Order) {
    const { by, agent, signal, told } = order
    const blobs = new Map<string, Blob>()
    const needs: Need[] = []
    const parts: Manifest['parts'] = []
    let records = 0

    async function* counted(source: AsyncIterable<ArchiveRecord>, tell: () => Promise<unknown>) {
      for await (const record of source) {
        signal.throwIfAborted()
        records++
        if (records > settings.archiveRecords) throw full('records')
        yield record
        if (records % TELL === 0) await tell()
      }
    }

    for (const { name: pack, part } of order.parts) {
      const tell = () => told({ part: pack, done: parts.length, parts: order.parts.length, records })
      await tell()
      const before = records
      const source = part.export({
        by,
        agent,
        include: order.include,
        signal,
        blob(blob) {
          blobs.set(blob.sha256, blob)
          if (blobs.size + order.parts.length > settings.archiveEntries) throw full('files')
          return blob.sha256
        },
        need(need) {
          if (needs.length < MOST_NEEDS) needs.push({ pack, ...need })
        }
      })
      const pieces = piecesOf(counted(linesOf(source), tell))
      const { size, sha256 } = await writer.add(pathOfPart(pack), pieces)
      parts.push({ pack, version: part.version, records: records - before, size, sha256 })
    }
    for (const blob of blobs.values()) {
      signal.throwIfAborted()
      const written = await writer.add(pathOfBlob(blob.sha256), await blob.open(), { packed: false })
      if (written.sha256 !== blob.sha256) throw new Error('Bytes are not those of their digest')
    }
    const manifest: Manifest = {
      format: 'agent-platform-archive',
      version: 1,
      madeAt: new Date().toISOString(),
      platform: platform.version,
      issuer: platform.baseUrl,
      agentName: agent.name,
      parts,
      blobs: [...blobs.values()].map(({ sha256, size }) => ({ sha256, size })),
      needs,
      leftOut: [...order.leftOut]
    }
    const keyId = await seal(writer, by.project, Buffer.from(canonicalJson(manifest)))
    writer.end()
    const counts = parts.map(({ pack, records }) => ({ pack, records }))
    return { parts: counts, needs, keyId, records }
  }

  /** Manifest and signature; without a pack that signs there is none. */
  async function seal(writer: ArchiveWriter, project: string, manifest: Buffer): Promise<string | null> {
    await writer.add(MANIFEST, once(manifest))
    if (!provenance) return null
    const { baseUrl } = platform
    const signed = await provenance.sign(project, (keyId) => statementOf(manifest, baseUrl, keyId))
    await writer.add(SIGNATURE, once(Buffer.from(canonicalJson(signed))))
    return signed.keyId
  }

  return { write }
}

async function* once(bytes: Buffer) {
  yield bytes
}
