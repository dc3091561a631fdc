import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Wraps the keys that seal secrets; never seals a secret itself. */
export interface MasterKey {
  /** Tells master keys apart and says nothing about them. */
  readonly id: string
  readonly key: KeyObject
}

const KEY_LENGTH = 32

/** A master key from its 32 bytes. */
export const masterKeyOf = (bytes: Uint8Array): MasterKey => ({
  id: createHmac('sha256', bytes).update('agent-platform master key').digest('hex').slice(0, 16),
  key: createSecretKey(bytes)
})

/**
 * The master keys of this process; the first one wraps, all of them open. From `value`, the content of
 * `PLATFORM_SECRET_KEY`: 32 bytes in base64, several separated by commas. Without it, in development only,
 * from `dataDir/secret-key`, which is made once (mode 0600), also when two processes start at the same time.
 * Throws an error for the operator, without the key in it.
 */
export async function readSecretKey({
  value,
  dataDir,
  production
}: {
  value?: string
  dataDir: string
  production: boolean
}): Promise<readonly [MasterKey, ...MasterKey[]]> {
  if (value) return parse(value, 'PLATFORM_SECRET_KEY')
  if (production)
    throw new Error(
      'PLATFORM_SECRET_KEY is required in production (32 bytes in base64: openssl rand -base64 32)'
    )
  const file = join(dataDir, 'secret-key')
  const known = await contentOf(file)
  if (known !== undefined) return parse(known, file)
  await make(file, dataDir)
  return parse((await contentOf(file)) ?? '', file)
}

function parse(text: string, source: string): readonly [MasterKey, ...MasterKey[]] {
  const [first = '', ...others] = text.trim().split(',')
  const keyOf = (part: string): MasterKey => {
    const bytes = Buffer.from(part.trim(), 'base64')
    const plain = (base64: string) => base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
    if (bytes.length !== KEY_LENGTH || plain(bytes.toString('base64')) !== plain(part.trim()))
      throw new Error(`${source} must be 32 bytes in base64, several of them separated by commas`)
    return masterKeyOf(bytes)
  }
  return [keyOf(first), ...others.map(keyOf)]
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && mode & 0o077)
      throw new Error(`${file} can be read by others than its owner: chmod 600 it`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole beside its place and then linked into it, so that nobody ever sees half a key. */
async function make(file: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(KEY_LENGTH).toString('base64')}\n`)
    await handle.sync()
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await handle.close()
    await unlink(draft)
  }
}
