import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { Kernel } from 'agent-platform'
import type { Model } from '../../models/contract.ts'
import type { Attachment, Words } from '../../sessions/contract.ts'
import type { PromptImage, RunInfo } from '../contract.ts'

export type PromptImages = ReturnType<typeof createPromptImages>
/** What stands ahead of the text of a message that has images. */
export type ImageParts = ReadonlyMap<Words, readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]>

/** Of one prompt, the newest ones: vendors take so many without further limits on their sizes. */
const MOST = 20

export const attachmentsOf = (words: Words): readonly Attachment[] =>
  words.role === 'user' ? (words.attachments ?? []) : []

/** The images of messages, read anew for each prompt: messages have them by reference. */
export function createPromptImages({ points, log }: Pick<Kernel, 'points' | 'log'>) {
  async function of(run: RunInfo, model: Model, messages: readonly Words[]): Promise<ImageParts> {
    const parts = new Map<Words, (LanguageModelV4TextPart | LanguageModelV4FilePart)[]>()
    const isBlind = !model.inputModalities?.includes('image')
    let left = MOST
    for (const words of messages.toReversed()) {
      const attachments = attachmentsOf(words)
      if (attachments.length === 0) continue
      const said: (LanguageModelV4TextPart | LanguageModelV4FilePart)[] = []
      for (const attachment of attachments) {
        const image = isBlind
          ? 'this model takes no images'
          : left-- > 0
            ? await find(run, attachment)
            : 'only later ones are shown'
        said.push(...partsOf(attachment, image))
      }
      parts.set(words, said)
    }
    return parts
  }

  /** The image, or why there is none. */
  async function find(run: RunInfo, attachment: Attachment): Promise<PromptImage | string> {
    const source = points.all('runs.request').find(({ value }) => value.image)
    try {
      return (await source?.value.image?.(run, attachment)) ?? 'it is not there any more'
    } catch (error) {
      log.warn({ err: error, run: run.id }, 'an image could not be shown to the model')
      return 'it cannot be read at present'
    }
  }

  return { of }
}

function partsOf({ fileId }: Attachment, image: PromptImage | string) {
  const text = (text: string) => ({ type: 'text' as const, text })
  if (typeof image === 'string') return [text(`(The image ${fileId} was attached: ${image}.)`)]
  const data = { type: 'data' as const, data: image.bytes }
  return [
    text(`(The image ${fileId} is attached.)`),
    { type: 'file' as const, mediaType: image.mediaType, data }
  ]
}
