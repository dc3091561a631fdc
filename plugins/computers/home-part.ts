import { Closed, invalid } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, ReadRecord } from '../archives/contract.ts'
import type { ComputerService } from './services/computers.ts'
import type { HomeFile, HomeService } from './services/homes.ts'
import { faultOfPath, PATH } from './services/homes.ts'
import type { Providers } from './services/providers.ts'
import type { ComputerStore } from './stores/computers.ts'

interface Deps {
  computerStore: ComputerStore
  computerService: ComputerService
  homeService: HomeService
  providers: Providers
}

/** How it is asked for. */
export const HOME_PART = 'computer'

const Home = Closed({ provider: Type.String({ minLength: 1, maxLength: 64 }) })
const File = Closed({
  path: Type.String({ minLength: 1, maxLength: PATH }),
  mode: Type.Integer({ minimum: 0, maximum: 0o777 }),
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
})
/** Of those that are left out so many are named. */
const NAMED = 20

const broken = (text: string) => invalid('/fileId', `The archive has ${text}`, 'archive_invalid')

/** The files in the home of the agent's computer. */
export function homePart({ computerStore, computerService, homeService, providers }: Deps): ArchivePart {
  /** Why files are not written here, if they are not. */
  async function lackOf(provider: string): Promise<string | undefined> {
    if (!providers.find(provider)) return 'No provider of computers of that name'
    return providers.usable(provider).then(
      () => undefined,
      (error) => {
        if (error.kind !== 'unavailable') throw error
        return error.message as string
      }
    )
  }

  /** Files of an archive: refused where one would lie elsewhere, has other bytes than it says, or all are too large. */
  async function* filesOf(records: AsyncIterable<ReadRecord>) {
    const meter = homeService.createMeter()
    for await (const { kind, data, bytes } of records) {
      if (kind !== 'file') throw broken('two homes')
      const file = data as HomeFile
      const fault = faultOfPath(file.path)
      if (fault) throw invalid('/fileId', `A file of the computer ${fault}`, 'path_refused')
      meter.take(file.size)
      yield { ...file, bytes: sized(bytes, file.size) }
    }
  }

  async function* sized(bytes: AsyncIterable<Buffer>, size: number) {
    let left = size
    for await (const piece of bytes) {
      left -= piece.length
      if (left < 0) break
      yield piece
    }
    if (left !== 0) throw broken('a file of a computer that has another size')
  }

  /** The first record tells what the computer was. */
  async function beginning(records: AsyncIterable<ReadRecord>) {
    const all = records[Symbol.asyncIterator]()
    const first = await all.next()
    if (first.done) return undefined
    if (first.value.kind !== 'home') throw broken('files of no computer')
    const { provider } = first.value.data as Static<typeof Home>
    const rest = { [Symbol.asyncIterator]: () => all }
    return { provider, files: filesOf(rest), close: () => all.return?.() }
  }

  return {
    version: 1,
    what: 'the files of its computer',
    optional: true,
    records: { home: Home, file: File },
    withBytes: ['file'],

    async *export({ by, agent: { project, id: agentId }, need, signal }) {
      const row = await computerStore.find({ project, agentId })
      if (!row) return
      const told = (name: string, text: string) =>
        need({
          type: 'files',
          name: name
            .replace(/\p{Cc}/gu, '?')
            .slice(0, 300)
            .toWellFormed(),
          text
        })
      if (!row.enabled)
        return told(
          HOME_PART,
          'The computer was off, so that its files were not read: enable it, and export again'
        )
      yield { kind: 'home', data: { provider: row.provider } }
      const left = { link: 0, other: 0, unreadable: 0 }
      const files = homeService.list(by, agentId, (why, path) => {
        if (++left[why] <= NAMED) told(path, texts[why])
      })
      for await (const { path, mode, size, bytes } of files) {
        signal.throwIfAborted()
        yield { kind: 'file', data: { path, mode, size }, bytes }
      }
      for (const [why, count] of Object.entries(left) as [keyof typeof left, number][])
        if (count > NAMED) told(`${count - NAMED} more`, texts[why])
    },

    async examine({ lack }, records) {
      const home = await beginning(records)
      if (!home) return
      let count = 0
      for await (const { bytes } of home.files) {
        count++
        for await (const _ of bytes);
      }
      const reason = await lackOf(home.provider)
      if (reason && count > 0)
        lack({
          type: 'files',
          name: home.provider,
          text: `${count} files are left out: ${reason}`.slice(0, 1_000)
        })
    },

    async import({ by, agentId }, records) {
      const home = await beginning(records)
      if (!home) return
      const { provider } = home
      if (await lackOf(provider)) return void (await home.close())
      const { enabled, version } = await computerService.readConfig(by, agentId)
      if (!enabled)
        await computerService.updateConfig(by, agentId, { enabled: true, ...(version === 0 && { provider }) })
      await homeService.write(by, agentId, home.files)
      // It was awake to be written to, and is as it came.
      if (!enabled) await computerService.updateConfig(by, agentId, { enabled: false })
    }
  }
}

const texts = {
  link: 'A link in the home of the computer: links are left out',
  other: 'In the home of the computer, and no file: it is left out',
  unreadable: 'A file of the computer that could not be read'
}
