import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Wraps the keys that seal secrets; never seals a secret itself. */
export interface MasterKey {
  /** Tells master keys apart and says nothing about them. */
  readonly id: string
  readonly key: KeyObject
}

export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

const KEY_LENGTH = 32
/** So many bytes in base64, of either alphabet. */
const form = /^[\w+/-]{43}=?$/

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
export async function readSecretKey(from: {
  value?: string
  dataDir: string
  production: boolean
}): Promise<MasterKeys> {
  const { value, dataDir, production } = from
  if (value) return parse(value, 'PLATFORM_SECRET_KEY')
  if (production)
    throw new Error(
      'PLATFORM_SECRET_KEY is required in production (32 bytes in base64: openssl rand -base64 32)'
    )
  const file = join(dataDir, 'secret-key')
  await make(file).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (process.platform !== 'win32' && (await stat(file)).mode & 0o077)
    throw new Error(`${file} can be read by others than its owner: chmod 600 it`)
  return parse(await readFile(file, 'utf8'), file)
}

const parts = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Whether a text is one master key or several. */
export const isSecretKey = (text: string): boolean => parts(text).every((part) => form.test(part))

function parse(text: string, source: string): MasterKeys {
  const [first, ...others] = parts(text).map((part) => {
    if (!form.test(part))
      throw new Error(`${source} must be 32 bytes in base64, several of them separated by commas`)
    return masterKeyOf(Buffer.from(part, 'base64'))
  })
  return [first as MasterKey, ...others]
}

/** Written whole beside its place and then linked into it, so that nobody ever sees half a key. */
async function make(file: string): Promise<void> {
  if (existsSync(file)) return
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  try {
    const content = `${randomBytes(KEY_LENGTH).toString('base64')}\n`
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
