import { readFileSync } from 'node:fs'
import type { Client } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'

/** What the author has to do otherwise. */
export class UsageError extends Error {}

/** The platform that flags and environment name. A key is never an argument, which others on the machine can read. */
export function platformOf({ url, keyFile }: { readonly url?: string; readonly keyFile?: string }): Client {
  const { PLATFORM_URL = 'http://127.0.0.1:3000', PLATFORM_API_KEY } = process.env
  const apiKey = keyFile === undefined ? PLATFORM_API_KEY : keyIn(keyFile)
  if (!apiKey) throw new UsageError('There is no API key: set PLATFORM_API_KEY, or name a file by --key-file')
  const baseUrl = url ?? PLATFORM_URL
  if (!URL.canParse(baseUrl)) throw new UsageError(`${baseUrl} is no address of a platform`)
  return createClient({ baseUrl, apiKey })
}

function keyIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`The key cannot be read: ${(error as Error).message}`)
  }
}
