import type { Kernel } from 'agent-platform'
import { Closed, invalid } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart } from '../../archives/contract.ts'
import type { Extraction } from '../../extraction/contract.ts'
import type { Objects } from '../../storage/contract.ts'
import type { FileSettings } from '../settings.ts'
import type { AvatarStore } from '../stores/avatars.ts'
import type { Avatars } from './avatars.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  settings: FileSettings
  storage: Objects
  extraction: Extraction | undefined
  avatarStore: AvatarStore
  avatars: Avatars
}

const Avatar = Closed({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })

/** The picture of the agent; files of runs and documents are in the parts of the packs that have them. */
export function createArchivePart({
  settings,
  storage,
  extraction,
  avatarStore,
  avatars
}: Deps): ArchivePart {
  return {
    version: 1,
    what: 'its picture',
    records: { avatar: Avatar },

    async *export({ agent: { project, id }, blob }) {
      const avatar = await avatarStore.find({ project, agentId: id })
      if (!avatar) return
      const { sha256, size } = avatar
      yield {
        kind: 'avatar',
        data: { sha256: blob({ sha256, size: Number(size), open: () => storage.open(sha256) }) }
      }
    },

    async examine({ lack }, records) {
      for await (const _ of records)
        if (!extraction)
          lack({
            type: 'pack',
            name: 'extraction',
            text: 'Pictures are not decoded here: the agent has none'
          })
    },

    async import({ by, agentId, blob }, records) {
      for await (const { data } of records) {
        if (!extraction) return
        const { size, open } = blob((data as Static<typeof Avatar>).sha256)
        if (size > settings.avatarBytes)
          throw invalid('/fileId', 'The picture of the agent is too large', 'archive_invalid')
        await avatars.set(by, agentId, Buffer.concat(await Array.fromAsync(open())), '/fileId')
      }
    }
  }
}
