import type { Kernel, Paging, Principal } from 'agent-platform'
import { pageOf, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Files } from '../files/contract.ts'
import type { Models, ProviderChoice } from '../models/contract.ts'
import type { SpeechFile, SpeechOrder, TranscriptionOptions } from './schemas.ts'
import type { AudioSettings } from './settings.ts'
import type { Spoken } from './subtitles.ts'

export type AudioService = ReturnType<typeof createAudioService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'limits'> {
  settings: AudioSettings
  agents: Agents
  files: Files
  models: Models
}

export interface Heard {
  readonly text: string
  readonly language: string | null
  readonly duration: number | null
  readonly segments: readonly Spoken[]
  readonly modelProvider: string
  readonly modelId: string
}

/** Speech becomes text, and text speech. */
export function createAudioService({ transaction, facts, limits, settings, agents, files, models }: Deps) {
  const count = ({ project, owner }: Principal) =>
    limits.count('audio', `${project}/${owner}`, settings.requestsPerMinute)

  /** What it gives before it is late; failures of a provider in words of our own. */
  async function timed<T>(signal: AbortSignal, what: string, work: (signal: AbortSignal) => PromiseLike<T>) {
    const late = AbortSignal.timeout(settings.audioWaitSeconds * 1_000)
    try {
      return await work(AbortSignal.any([signal, late]))
    } catch (error) {
      signal.throwIfAborted()
      const { kind, statusCode } = error as { kind?: string; statusCode?: number }
      if (late.aborted) throw upstreamTimeout(`${what} took too long`, { code: 'provider_failed' })
      if (kind !== undefined) throw error
      const said = statusCode === undefined ? 'could not be asked' : `was answered with ${statusCode}`
      throw upstreamFailed(`${what} ${said}`, { code: 'provider_failed', cause: error })
    }
  }

  /** `<provider>/<model>`, or a model of what the project has. */
  async function chosen(project: string, model: string | undefined): Promise<ProviderChoice | undefined> {
    if (model === undefined) return undefined
    const at = model.indexOf('/')
    if (at > 0) return { modelProvider: model.slice(0, at), modelId: model.slice(at + 1) }
    const { modelProvider } = await models.media(project, 'transcription')
    return { modelProvider, modelId: model }
  }

  async function bytesOf(by: Principal, fileId: string) {
    const file = await files.find(by, fileId, 'read', '/fileId')
    return { bytes: await files.read(file, settings.audioBytes), mediaType: file.mediaType }
  }

  async function transcribe(
    by: Principal,
    { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
    { model: wanted, language, prompt, temperature }: TranscriptionOptions,
    signal: AbortSignal
  ): Promise<Heard> {
    const { project, owner } = by
    const media = await models.media(project, 'transcription', await chosen(project, wanted))
    await count(by)
    const hints = {
      ...(language !== undefined && { language }),
      ...(prompt !== undefined && { prompt }),
      ...(temperature !== undefined && { temperature })
    }
    const type = /^(audio|video)\//.test(mediaType) ? mediaType : 'audio/wav'
    const about = secondsOf(bytes, type)
    const asking = { by, agentId: null, medium: 'transcription', most: about, signal } as const
    const said = await models.askMedia(asking, media, async (used) => {
      const heard = await timed(signal, 'The transcription', (abortSignal) =>
        media.model.doGenerate({
          audio: bytes,
          mediaType: type,
          providerOptions: { openai: hints, platform: { owner } },
          abortSignal
        })
      )
      used(heard.durationInSeconds ?? about)
      return heard
    })
    const { modelProvider, modelId } = media
    const seconds = said.durationInSeconds ?? null
    await transaction((trx) =>
      facts.record(trx, 'audio.transcribed', by, {
        subject: owner,
        owner,
        data: { modelProvider, modelId, seconds },
        usage: seconds === null ? [] : [{ meter: 'audio.heardSeconds', quantity: seconds.toFixed(3) }]
      })
    )
    const whole = { text: said.text, start: 0, end: seconds ?? 0 }
    const segments = said.segments.map(({ text, startSecond, endSecond }) => ({
      text: text.trim(),
      start: startSecond,
      end: endSecond
    }))
    return {
      text: said.text.trim(),
      language: said.language ?? null,
      duration: seconds,
      segments: segments.length > 0 || said.text.trim() === '' ? segments : [whole],
      modelProvider,
      modelId
    }
  }

  async function voices({ project }: Principal, { language, ...page }: Paging & { language?: string }) {
    const { modelProvider, modelId, voices } = await models.media(project, 'speech')
    const wanted = language?.toLowerCase()
    const speaks = (languages: readonly string[]) =>
      wanted === undefined ||
      languages.length === 0 ||
      languages.some((it) => it.toLowerCase() === wanted || it.toLowerCase().startsWith(`${wanted}-`))
    const found = ((await voices?.()) ?? []).filter(({ languages }) => speaks(languages))
    const shown = found.map(({ id, name, languages }) => ({
      id,
      name,
      languages: [...languages],
      modelProvider,
      modelId
    }))
    return pageOf('voices', shown, page)
  }

  async function speak(
    by: Principal,
    { text, voice, format, speed = 1, agentId }: SpeechOrder,
    signal: AbortSignal
  ): Promise<SpeechFile> {
    const owner =
      agentId === undefined ? by.owner : (await agents.owned(by, agentId, 'change', '/agentId')).owner
    const media = await models.media(by.project, 'speech')
    const { model, modelProvider, modelId } = media
    await count(by)
    const asking = { by, agentId: agentId ?? null, medium: 'speech', most: text.length, signal } as const
    const { audio } = await models.askMedia(asking, media, async (used) => {
      const spoken = await timed(signal, 'The speech', (abortSignal) =>
        model.doGenerate({
          text,
          speed,
          ...(voice !== undefined && { voice }),
          ...(format !== undefined && { outputFormat: format }),
          abortSignal
        })
      )
      used(text.length)
      return spoken
    })
    const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio
    const { fileTypeFromBuffer } = await import('file-type')
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
    if (!type || !/^(audio|application\/ogg|video\/(ogg|webm))/.test(type.mime))
      throw upstreamFailed('The speech provider returned data that is not audio', { code: 'provider_failed' })
    const words =
      text
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .slice(0, 60)
        .trim() || 'speech'
    const chain = agentId === undefined ? [] : [{ type: 'agent', id: agentId }]
    const file = await files.store(by, once(bytes), {
      name: `${words}.${type.ext}`,
      mediaType: type.mime,
      owner,
      origin: { type: 'tool', chain }
    })
    await transaction((trx) =>
      facts.record(trx, 'audio.synthesized', by, {
        subject: owner,
        owner,
        data: { modelProvider, modelId, characters: text.length, fileId: file.id },
        usage: [{ meter: 'audio.spokenCharacters', quantity: String(text.length) }]
      })
    )
    const { id, name, mediaType, size, sha256, createdAt } = file
    const url = `/v1/files/${id}/content`
    return {
      id,
      name,
      mediaType,
      size,
      sha256,
      url,
      createdAt,
      modelProvider,
      modelId,
      voice: voice ?? null
    }
  }

  return { bytesOf, transcribe, voices, speak }
}

/** About: of what is not compressed 16,000 bytes a second, of the rest 4,000. */
const secondsOf = ({ length }: Uint8Array, mediaType: string): number =>
  Math.ceil(length / (/wav/.test(mediaType) ? 16_000 : 4_000))

async function* once(bytes: Uint8Array) {
  yield bytes
}
