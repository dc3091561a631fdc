import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { root } from '../../kernel/deployment.ts'
import type { Connection } from '../database.ts'
import { database } from '../database.ts'
import { temporaryFolder, writeFiles } from '../pack-folders.ts'
import type { Scope } from './scope.ts'
import type { Side } from './side.ts'
import { startSide } from './side.ts'

export interface PlatformOrder {
  readonly connection: Connection
  readonly folders: readonly string[]
  readonly packs: readonly string[]
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
}

interface PlatformOptions {
  /** Packs of the given files that are not on. */
  readonly off?: readonly string[]
  /** Packs of the platform itself that are on. */
  readonly packs?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Default: a database of its own. With that of another platform it is a second instance beside it. */
  readonly connection?: Connection
}

/** A server, where it is reached, and the key that opens it. */
export interface Served extends Side {
  readonly url: string
  readonly key?: string
}

const address = async (side: Side): Promise<Served> => ({ ...side, ...(await side.ask<Served>('address')) })

/** A platform as a process of its own, with packs by name given as files. */
export async function startPlatform(
  scope: Scope,
  files: Readonly<Record<string, string>>,
  { off = [], packs: own = [], env = {}, connection: given }: PlatformOptions = {}
): Promise<Served & { readonly key: string }> {
  const connection = given ?? (await database(scope)).connection
  const folder = await temporaryFolder(scope)
  const packs = await writeFiles(join(folder, 'packs'), files)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const named = [...new Set(Object.keys(files).map((path) => path.split('/')[0] as string))]
  const order: PlatformOrder = {
    connection,
    folders: [resolve(root, 'plugins'), packs],
    packs: ['packs', ...own, ...named.filter((name) => !off.includes(name))],
    dataDir,
    env
  }
  return (await address(await startSide(scope, 'platform', order))) as Served & { key: string }
}

/** Fastify alone, as a process of its own. */
export const startBare = async (scope: Scope): Promise<Served> => address(await startSide(scope, 'bare'))
