import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Kernel, Principal } from 'agent-platform'
import { invalid, newId, tooLarge } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Provenance } from '../../provenance/contract.ts'
import type { ArchiveReader } from '../format/reader.ts'
import { createArchiveReader } from '../format/reader.ts'
import type { NewImport } from '../schemas/imports.ts'
import type { Report } from '../schemas/report.ts'
import type { ArchiveSettings } from '../settings.ts'

export type Opening = ReturnType<typeof createOpening>

export interface Opened extends Pick<ArchiveReader, 'manifest' | 'records' | 'blob' | 'verify'> {
  readonly signature: Report['signature']
  close(): Promise<void>
}

interface Deps extends Pick<Kernel, 'platform'> {
  settings: ArchiveSettings
  files: Files
  provenance: Provenance | undefined
}

const DAY_MS = 86_400_000

/** Archives of files, as they are read: from a copy in a file of this machine, which goes when it is closed. */
export function createOpening({ platform, settings, files, provenance }: Deps) {
  const folder = join(platform.dataDir, 'archives')

  async function open(
    by: Principal,
    { fileId, trustedKeys = [] }: NewImport,
    signal?: AbortSignal
  ): Promise<Opened> {
    const file = await files.find(by, fileId, 'read', '/fileId')
    if (file.size > settings.archiveBytes)
      throw tooLarge(`The archive has more than ${settings.archiveBytes} bytes`, { param: '/fileId' })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${newId('copy')}.zip`)
    try {
      await pipeline(await files.stream(file), createWriteStream(path, { mode: 0o600 }), {
        ...(signal && { signal })
      })
      const { signer, close, ...reader } = await createArchiveReader(path, settings)
      return {
        ...reader,
        signature: await signatureOf(by, signer, trustedKeys),
        async close() {
          close()
          await rm(path, { force: true })
        }
      }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  async function signatureOf(by: Principal, signer: ArchiveReader['signer'], trusted: readonly string[]) {
    if (!signer) return { status: 'none' as const, keyId: null, issuer: null }
    const { keyId, issuer } = signer
    const isTrusted =
      trusted.includes(keyId) ||
      settings.trustedKeys.split(',').includes(keyId) ||
      (await provenance?.findKey(keyId))?.project === by.project
    return { status: isTrusted ? ('trusted' as const) : ('unknown' as const), keyId, issuer }
  }

  return {
    open,

    /** 400 for an archive that nobody vouches for, unless that is taken. */
    checkTrust({ signature }: Opened, { acceptUnsigned = false }: Pick<NewImport, 'acceptUnsigned'>): void {
      if (signature.status === 'trusted' || acceptUnsigned) return
      const who =
        signature.status === 'none'
          ? 'is signed by nobody'
          : `is signed by the key ${signature.keyId}, which is not known here`
      throw invalid('/acceptUnsigned', `The archive ${who}`, 'archive_untrusted')
    },

    /** Copies that a process left that was killed. */
    async removeOld(): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (Date.now() - mtimeMs > DAY_MS) await rm(path, { force: true })
      }
    }
  }
}
