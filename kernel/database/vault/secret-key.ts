import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey } from 'node:crypto'
import { keyFileOf, makeKeyFile, readKeyFile } from './key-file.ts'

/** Wraps the keys that seal secrets; never seals a secret itself. */
export interface MasterKey {
  /** Tells master keys apart and says nothing about them. */
  readonly id: string
  readonly key: KeyObject
}

export type MasterKeys = readonly [MasterKey, ...MasterKey[]]
/** The master keys as they are now: the first one wraps, all of them open. */
export type ReadMasterKeys = () => MasterKeys

/** 32 bytes in base64, of either alphabet. */
const form = /^[\w+/-]{43}=?$/

/** A master key from its 32 bytes. */
export const masterKeyOf = (bytes: Uint8Array): MasterKey => ({
  id: createHmac('sha256', bytes).update('agent-platform master key').digest('hex').slice(0, 16),
  key: createSecretKey(bytes)
})

interface From {
  /** The content of `PLATFORM_SECRET_KEY`: 32 bytes in base64, several separated by commas. */
  readonly value?: string
  readonly dataDir: string
  readonly production: boolean
}

/**
 * The master keys of this process: from `value`; without it, in development only, from `dataDir/secret-key`, as
 * it is at each call, since a rotation changes it while the platform runs. Throws errors for the operator,
 * without the key in them.
 */
export function findMasterKeys({ value, dataDir, production }: From): ReadMasterKeys {
  if (value) {
    const keys = parseKeys(value, 'PLATFORM_SECRET_KEY')
    return () => keys
  }
  if (production)
    throw new Error(
      'PLATFORM_SECRET_KEY is required in production (32 bytes in base64: openssl rand -base64 32)'
    )
  const file = keyFileOf(dataDir)
  return () => parseKeys(readKeyFile(file), file)
}

/** The same for a platform that starts: the file is made once (mode 0600), and the keys are there and right. */
export async function openMasterKeys(from: From): Promise<ReadMasterKeys> {
  const read = findMasterKeys(from)
  if (!from.value) await makeKeyFile(keyFileOf(from.dataDir))
  read()
  return read
}

/** The keys in a text, one by one. */
export const keyTexts = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Whether a text is one master key or several. */
export const isSecretKey = (text: string): boolean => keyTexts(text).every((part) => form.test(part))

/** Throws an error that names the source where the text is anything else. */
export function parseKeys(text: string, source: string): MasterKeys {
  if (!isSecretKey(text))
    throw new Error(`${source} must be 32 bytes in base64, several of them separated by commas`)
  const [first, ...others] = keyTexts(text).map((part) => masterKeyOf(Buffer.from(part, 'base64')))
  return [first as MasterKey, ...others]
}
