import type { Kernel, Principal, RemoveSome } from 'agent-platform'
import { notFound, tooLarge } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Objects } from '../../storage/contract.ts'
import type { Avatar, File } from '../schemas.ts'
import type { FileSettings } from '../settings.ts'
import type { AvatarStore } from '../stores/avatars.ts'
import type { Images } from './images.ts'
import type { Incoming } from './uploads.ts'

export type Avatars = ReturnType<typeof createAvatars>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: FileSettings
  agents: Agents
  storage: Objects
  avatarStore: AvatarStore
  images: Images
}

/** Pictures of agents. */
export function createAvatars(deps: Deps) {
  const { transaction, facts, settings, agents, storage, avatarStore, images } = deps

  /** Whatever it was, what is kept is a picture that was made here. */
  async function replace(by: Principal, agentId: string, incoming: AsyncIterable<Incoming>): Promise<Avatar> {
    await agents.owned(by, agentId, 'change')
    const [image] = await Array.fromAsync(incoming, ({ source }) => collect(source, settings.avatarBytes))
    return set(by, agentId, image as Buffer, '/file')
  }

  async function set(by: Principal, agentId: string, image: Uint8Array, param: string): Promise<Avatar> {
    const { project, owner } = await agents.owned(by, agentId, 'change')
    const bytes = await images.picture(by, image, { what: 'An avatar', param })
    const put = await storage.put([bytes] as never, { maxBytes: bytes.length })
    try {
      return await transaction(async (trx) => {
        const { sha256, size } = put
        const avatar = await avatarStore.replace(trx, { project, agentId, owner, sha256, size })
        const { updatedAt } = avatar
        const shown = { url: `/v1/agents/${agentId}/avatar`, sha256, updatedAt }
        await agents.setAvatar(trx, by, { project, id: agentId }, shown)
        await storage.unlink(trx, holderOf(agentId))
        await storage.link(trx, sha256, holderOf(agentId))
        await facts.record(trx, 'files.avatar_replaced', by, { subject: agentId, owner, data: avatar })
        return avatar
      })
    } catch (error) {
      await storage.release(put).catch(() => undefined)
      throw error
    }
  }

  /** As a file that can be sent; 404 `avatar_missing` where the agent has none. */
  async function find(
    by: Principal,
    agentId: string
  ): Promise<Pick<File, 'name' | 'mediaType' | 'size' | 'sha256'>> {
    const { project } = await agents.owned(by, agentId, 'read')
    const avatar = await avatarStore.find({ project, agentId })
    if (!avatar) throw notFound('Avatar', { code: 'avatar_missing' })
    return { name: `${agentId}.webp`, mediaType: 'image/webp', size: avatar.size, sha256: avatar.sha256 }
  }

  const removeOfAgent: RemoveSome = async ({ project, id: agentId }, trx) => {
    const removed = await avatarStore.remove({ project, agentId }, trx)
    if (removed > 0) await storage.unlink(trx, holderOf(agentId))
    return removed
  }

  return { replace, set, find, removeOfAgent }
}

const holderOf = (agentId: string) => `files/avatar/${agentId}`

async function collect(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(`More than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
