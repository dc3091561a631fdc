import type { Kernel, Principal } from 'agent-platform'
import { unavailable, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Files } from '../files/contract.ts'
import type { MediaModel, Models } from '../models/contract.ts'
import { DRAWING } from './provider.ts'
import type { GeneratedImages, ImageOrder } from './schemas.ts'
import type { ImageSettings } from './settings.ts'

export type ImageService = ReturnType<typeof createImageService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'limits'> {
  settings: ImageSettings
  agents: Agents
  files: Files
  models: Models
}
type Made = Awaited<ReturnType<Files['store']>>

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp'
}

/** Images that are made for agents, and stay. */
export function createImageService(deps: Deps) {
  const { transaction, facts, limits, settings, agents, files, models } = deps

  async function generate(
    by: Principal,
    agentId: string,
    { prompt, kind = 'image', count = 1, size = '1024x1024', setAvatar = false }: ImageOrder,
    left: AbortSignal
  ): Promise<GeneratedImages> {
    const { owner } = await agents.owned(by, agentId, 'change')
    const model = await models.media(by.project, 'image')
    if (model.modelProvider === DRAWING && kind !== 'avatar')
      throw unavailable('Only avatars are drawn without a provider of images: PUT /v1/providers/images', {
        code: 'model_not_configured'
      })
    for (let asked = 0; asked < count; asked++)
      await limits.count('images', `${by.project}/${owner}`, settings.imagesPerMinute)
    const asking = { by, agentId, medium: 'image', most: count, signal: left } as const
    const pictures = await models.askMedia(asking, model, (used) =>
      draw(model, { prompt, count, size, signal: left }, used)
    )
    const made: Made[] = []
    try {
      for (const [index, picture] of pictures.entries())
        made.push(await keep(by, { agentId, owner, prompt, index, ...picture }))
      if (setAvatar) await files.setAvatar(by, agentId, pictures[0]?.bytes as Uint8Array, '/setAvatar')
      await transaction((trx) =>
        facts.record(trx, 'images.generated', by, {
          subject: agentId,
          owner,
          data: {
            agentId,
            fileIds: made.map(({ id }) => id),
            modelProvider: model.modelProvider,
            modelId: model.modelId
          },
          usage: [{ meter: 'images', quantity: String(made.length) }]
        })
      )
    } catch (error) {
      // All of them, or none.
      await transaction(async (trx) => {
        for (const file of made) await files.remove(trx, by, file)
      }).catch(() => undefined)
      throw error
    }
    return {
      agentId,
      kind,
      modelProvider: model.modelProvider,
      modelId: model.modelId,
      images: made.map(({ id, name, mediaType, size, sha256, createdAt }) => ({
        id,
        name,
        mediaType,
        size,
        sha256,
        url: `/v1/files/${id}/content`,
        createdAt
      })),
      avatar: setAvatar
    }
  }

  /** What a provider gives is a stranger's: only what is an image by its bytes is kept. */
  async function draw(
    { model, isLocal }: MediaModel<'image'>,
    { prompt, count, size, signal }: { prompt: string; count: number; size: string; signal: AbortSignal },
    used: (images: number) => void
  ) {
    const { fileTypeFromBuffer } = await import('file-type')
    const most = typeof model.maxImagesPerCall === 'number' ? model.maxImagesPerCall : 1
    const pictures: { bytes: Buffer; mediaType: string }[] = []
    while (pictures.length < count) {
      const n = Math.min(most, count - pictures.length)
      const { images } = await ask(model, { prompt, n, size, signal }).catch((error) => {
        signal.throwIfAborted()
        throw told(error, isLocal)
      })
      used(Math.min(images.length, n))
      if (images.length === 0)
        throw upstreamFailed('The provider of images gave none', { code: 'image_failed' })
      for (const image of images.slice(0, n)) {
        const bytes = Buffer.from(image as never, typeof image === 'string' ? 'base64' : undefined)
        const mediaType = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? ''
        if (!EXTENSIONS[mediaType])
          throw upstreamFailed('The provider gave something that is no image', { code: 'image_failed' })
        pictures.push({ bytes, mediaType })
      }
    }
    return pictures
  }

  async function ask(
    model: MediaModel<'image'>['model'],
    { prompt, n, size, signal }: { prompt: string; n: number; size: string; signal: AbortSignal }
  ) {
    const late = AbortSignal.timeout(settings.imageSeconds * 1_000)
    const none = { aspectRatio: undefined, seed: undefined, files: undefined, mask: undefined }
    const asked = { prompt, n, size: size as `${number}x${number}`, providerOptions: {}, ...none }
    try {
      return await model.doGenerate({ ...asked, abortSignal: AbortSignal.any([signal, late]) })
    } catch (error) {
      if (late.aborted)
        throw upstreamTimeout('The provider of images took too long', { code: 'image_failed' })
      throw error
    }
  }

  const keep = (
    by: Principal,
    about: { agentId: string; owner: string; prompt: string; index: number; bytes: Buffer; mediaType: string }
  ): Promise<Made> => {
    const { agentId, owner, prompt, index, bytes, mediaType } = about
    const words =
      prompt
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .slice(0, 60)
        .trim() || 'image'
    const name = `${words}${index > 0 ? ` ${index + 1}` : ''}.${EXTENSIONS[mediaType]}`
    const origin = { type: 'tool', chain: [{ type: 'agent', id: agentId }] } as const
    return files.store(by, once(bytes), { name, mediaType, owner, origin })
  }

  return { generate }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** Never what the other side said: that may hold the prompt. */
function told(error: { kind?: string; statusCode?: number; name?: string }, isLocal: boolean): unknown {
  if (error.kind !== undefined || isLocal) return error
  const said = error.statusCode === undefined ? 'gave no answer' : `answered ${error.statusCode}`
  return upstreamFailed(`The provider of images ${said}`, { code: 'image_failed', cause: error })
}
