import { fileURLToPath } from 'node:url'
import type { TranscriptionModelV4 } from '@ai-sdk/provider'
import type { Kernel } from 'agent-platform'
import {
  createWorkerLane,
  invalid,
  processOf,
  unavailable,
  unsupportedMedia,
  upstreamFailed
} from 'agent-platform'
import type { ModelProvider } from '../../models/contract.ts'
import type { AudioSettings } from '../settings.ts'
import { soundTypeOf } from './decode.ts'
import { weights } from './moonshine.ts'
import type { Question, Written } from './worker.ts'

const info = { modelId: 'moonshine-tiny', name: 'Moonshine tiny (English)' }
const worker = new URL('./worker.ts', import.meta.url)
/** Weights, their runtime, and half an hour of sound as it is decoded. */
const MEMORY_MB = 3_072
const HEAP_MB = 1_024
/** So many recordings pass through one process before another one takes its place. */
const ANSWERS = 50

interface Deps extends Pick<Kernel, 'shared'> {
  settings: AudioSettings
}

function isInstalled(): boolean {
  try {
    return Boolean(weights())
  } catch {
    return false
  }
}

/**
 * Writes down English on this machine, in a process without network that may read its code and nothing else: recordings are
 * decoded there, too.
 */
export function createMoonshine({ shared, settings }: Deps): ModelProvider {
  const { idleSeconds, audioWaitSeconds, audioSeconds: maxSeconds } = settings
  const open = async () =>
    createWorkerLane<Question, Written | 'lost'>({
      start: processOf(worker, {
        memoryMb: MEMORY_MB,
        heapMb: HEAP_MB,
        cpuSeconds: ANSWERS * audioWaitSeconds,
        code: [fileURLToPath(new URL('..', worker))],
        flags: ['--no-node-snapshot']
      }),
      lost: () => 'lost',
      tooMany: 'Too many recordings wait to be written down',
      most: { ofOwner: 8, ofProject: 32 },
      stuckMs: audioWaitSeconds * 1_000,
      idleMs: idleSeconds * 1_000,
      answers: ANSWERS
    })
  const key = `moonshine/1/${idleSeconds}/${audioWaitSeconds}/${worker.href}`

  const modelOf = (project: string): TranscriptionModelV4 => ({
    specificationVersion: 'v4',
    provider: 'moonshine',
    modelId: info.modelId,
    async doGenerate({ audio, abortSignal, providerOptions }) {
      const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio
      if (!soundTypeOf(bytes))
        throw unsupportedMedia('Only WAV, MP3, OGG and WebM are decoded here', { code: 'format_unsupported' })
      const owner = String(providerOptions?.platform?.owner ?? project)
      const lane = await shared(key, open, async (it) => it.close())
      const written = await lane.ask({ project, owner }, { bytes, maxSeconds }, abortSignal)
      if (written === 'lost')
        throw upstreamFailed('The recording could not be written down', { code: 'lost' })
      if ('fault' in written) throw faultOf(written.fault, maxSeconds)
      const { segments, seconds } = written
      return {
        text: segments.map(({ text }) => text).join(' '),
        segments: segments.map(({ text, start, end }) => ({ text, startSecond: start, endSecond: end })),
        language: 'en',
        durationInSeconds: seconds,
        warnings: [],
        response: { timestamp: new Date(), modelId: info.modelId }
      }
    }
  })

  const missing = () =>
    unavailable(
      'The built-in model is not installed: npm install onnxruntime-node @moonshine-ai/moonshine-js',
      {
        code: 'model_not_configured'
      }
    )
  return {
    name: 'Built-in (English)',
    isLocal: true,
    configured: async () => isInstalled(),
    media: {
      transcription: {
        list: async () => [info],
        async model(project) {
          if (!isInstalled()) throw missing()
          return { ...info, model: modelOf(project) }
        }
      }
    }
  }
}

function faultOf(fault: 'unreadable' | 'too long' | 'failed', maxSeconds: number) {
  if (fault === 'unreadable') return invalid('/file', 'The recording cannot be decoded', 'audio_unreadable')
  if (fault === 'too long')
    return invalid('/file', `The recording is longer than ${maxSeconds} s`, 'audio_too_long')
  return unavailable('The built-in model cannot be loaded', { code: 'model_not_configured' })
}
