import type { Kernel, Principal } from 'agent-platform'
import { createPathCheck, digestOf, examineSchema, invalid, pointerToken } from 'agent-platform'
import type { Manifest, Problem } from 'agent-platform-app/manifest'
import { checkFiles, checkManifest } from 'agent-platform-app/manifest'
import type { Files } from '../../files/contract.ts'
import type { Objects, PutObject } from '../../storage/contract.ts'
import type { NewVersion } from '../schemas/apps.ts'
import type { StoredFile } from '../stores/versions.ts'

/** A version that was checked, and lies nowhere yet. */
export interface Package {
  readonly manifest: Manifest
  /** By path. */
  readonly contents: ReadonlyMap<string, Buffer>
  readonly digest: string
  readonly size: number
}
/** Among the contents: the manifest's icon, made anew. No file has an empty path. */
const ICON = ''

/** Of one version: several at a time, so that a hundred small files do not wait for each other. */
const PUTS = 8

interface Deps extends Pick<Kernel, 'log'> {
  storage: Objects
  files: Files
}

export type Packages = ReturnType<typeof createPackages>

/** Versions of apps as they come in, and their bytes. */
export function createPackages({ storage, files, log }: Deps) {
  /** 400 with the place of the first problem, and all of them in its words. */
  async function check(by: Principal, { manifest, files: given }: NewVersion): Promise<Package> {
    refuse(checkManifest(manifest), '/manifest')
    const sound = manifest as Manifest
    const contents = new Map(Object.entries(given).map(([path, file]) => [path, bytesOf(path, file)]))
    const isWrong = createPathCheck()
    for (const path of contents.keys()) {
      const fault = path.endsWith('/') ? 'is a folder' : isWrong(path)
      if (fault !== undefined) throw invalid(`/files/${pointerToken(path)}`, `${path} ${fault}`)
    }
    const sizes = new Map([...contents].map(([path, { length }]) => [path, length]))
    refuse(checkFiles(sound, sizes), '')
    for (const [at, { input, output }] of sound.functions.entries())
      for (const [field, schema] of Object.entries({ input, output })) {
        const fault = schema && (await examineSchema(by, schema))
        if (fault) throw invalid(`/manifest/functions/${at}/${field}${fault.at}`, `The schema ${fault.text}`)
      }
    const digests = [...contents].map(([path, bytes]) => [path, digestOf(bytes)])
    const digest = digestOf({ manifest, files: Object.fromEntries(digests) })
    const size = [...sizes.values()].reduce((sum, it) => sum + it, 0)
    const icon = sound.icon === undefined ? undefined : contents.get(sound.icon)
    const about = { what: 'An icon', param: '/manifest/icon' }
    if (icon) contents.set(ICON, Buffer.from(await files.picture(by, icon, about)))
    return { manifest: sound, contents, digest, size }
  }

  /** Puts its bytes in the storage; they stay when they are linked. What fails leaves nothing. */
  async function put({ contents }: Package): Promise<ReadonlyMap<string, PutObject>> {
    const waiting = [...contents]
    const done = new Map<string, PutObject>()
    const faults: unknown[] = []
    const work = async () => {
      for (let next = waiting.shift(); next && faults.length === 0; next = waiting.shift()) {
        const [path, bytes] = next
        const put = await storage
          .put(once(bytes), { maxBytes: bytes.length })
          .catch((error) => void faults.push(error))
        if (put) done.set(path, put)
      }
    }
    await Promise.all(Array.from({ length: PUTS }, work))
    if (faults.length === 0) return done
    await giveUp(done)
    throw faults[0]
  }

  async function giveUp(puts: ReadonlyMap<string, PutObject>): Promise<void> {
    for (const put of puts.values())
      await storage.release(put).catch((error) => log.warn({ err: error }, 'an object was not given up'))
  }

  return { check, put, giveUp }
}

export const filesOf = (puts: ReadonlyMap<string, PutObject>): Record<string, StoredFile> =>
  Object.fromEntries(
    [...puts]
      .filter(([path]) => path !== ICON)
      .sort()
      .map(([path, { size, sha256 }]) => [path, { size, sha256 }])
  )

export function iconOf(puts: ReadonlyMap<string, PutObject>): StoredFile | null {
  const icon = puts.get(ICON)
  return icon ? { size: icon.size, sha256: icon.sha256 } : null
}

export async function* once(bytes: Uint8Array) {
  yield bytes
}

function bytesOf(path: string, { text, base64 }: NewVersion['files'][string]): Buffer {
  const param = `/files/${pointerToken(path)}`
  if ((text === undefined) === (base64 === undefined)) throw invalid(param, 'Either text or base64')
  if (text !== undefined) return Buffer.from(text)
  return decodeBase64(base64 as string, `${param}/base64`)
}

/** 400 for what is no canonical base64: Node would leave out what it does not know. */
export function decodeBase64(text: string, param: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw invalid(param, 'Not base64')
  return bytes
}

function refuse(problems: readonly Problem[], under: string): void {
  const [first] = problems
  if (!first) return
  const words = problems.map(({ pointer, message }) => `${pointer || 'the manifest'} ${message}`)
  throw invalid(`${under}${first.pointer}`, words.join('; '))
}
