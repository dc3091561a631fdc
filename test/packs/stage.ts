import type { ChannelListener } from 'node:diagnostics_channel'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '../../kernel/deployment.ts'
import type { ChangeRecord } from '../../kernel/packs/desired/records.ts'
import type { Booted, BootOptions } from '../boot.ts'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'
import { packText, temporaryFolder, writeFiles } from '../pack-folders.ts'

export interface Scope {
  teardown(work: () => unknown): unknown
}

export const fixtures = join(root, 'test', 'fixtures', 'packs')
export const broken = join(root, 'test', 'fixtures', 'broken')

/** A platform with the packs that every test of hosting needs, and some of the fixtures. */
export const stage = (t: Scope, packs: readonly string[], options: BootOptions = {}): Promise<Booted> =>
  boot(t, { ...options, folders: options.folders ?? [fixtures], packs: ['access', 'packs', ...packs] })

/** A folder of packs that the test writes: `write` puts a version there, by the files' texts. */
export async function workshop(t: Scope) {
  const folder = await temporaryFolder(t)
  return {
    folder,
    write: (pack: string, files: Readonly<Record<string, string>>) => writeFiles(join(folder, pack), files)
  }
}

/** A pack whose one route says which version it is; with further fields of the manifest, and lines before it. */
export const lantern = (version: string, fields = '', before = '') =>
  packText(
    'lantern',
    `routes(app, deps) {
      app.get('/lantern', async () => ({ data: '${version}' }))
      ${before.includes('function more') ? 'more(app, deps)' : ''}
    },
    ${fields}`,
    before
  )

/** What packs publish on a channel of this process, in order, and whatever comes next. */
export function hear<T>(t: Scope, channel: string) {
  const told: T[] = []
  let read = 0
  let wake = Promise.withResolvers<void>()
  const listener: ChannelListener = (message) => {
    told.push(message as T)
    wake.resolve()
    wake = Promise.withResolvers()
  }
  subscribe(channel, listener)
  t.teardown(() => unsubscribe(channel, listener))
  return {
    told,
    async next(): Promise<T> {
      while (told.length === read) await wake.promise
      return told[read++] as T
    }
  }
}

/** Asks until the answer is as wanted; the test's own timeout is the limit. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    await delay(10)
  }
}

/** The status of a pack on one instance, once it is as wanted. */
export const statusOf = async (admin: Client, pack: string) =>
  (await admin.get(`/v1/packs/${pack}`)).body.data

/** The newest record of a pack's changes. */
export const lastChange = async (admin: Client, pack: string): Promise<ChangeRecord> =>
  (await admin.get(`/v1/packs/changes?pack=${pack}`)).body.data[0]
