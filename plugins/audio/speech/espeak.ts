import { spawn } from 'node:child_process'
import type { SpeechModelV4 } from '@ai-sdk/provider'
import { invalid, unavailable, upstreamFailed } from 'agent-platform'
import type { ModelProvider, Voice } from '../../models/contract.ts'

const info = { modelId: 'espeak-ng', name: 'eSpeak NG' }
const MAX_BYTES = 134_217_728
const WORDS_A_MINUTE = 165
/** Where no voice is named. */
const USUAL = ['en-us', 'en-gb', 'en']
/** Nothing of the platform's is in it. */
const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' }

/** Speaks by `espeak-ng` where that is installed: many languages, offline, and it sounds like a machine. */
export function createEspeak(): ModelProvider {
  let known: Promise<readonly Voice[]> | undefined
  const voices = () => {
    known ??= run(['--voices'], '').then((listed) => voicesOf(listed.toString()))
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const isInstalled = () =>
    voices().then(
      ({ length }) => length > 0,
      () => false
    )

  const model: SpeechModelV4 = {
    specificationVersion: 'v4',
    provider: 'espeak-ng',
    modelId: info.modelId,
    async doGenerate({ text, voice: wanted, speed = 1, outputFormat = 'wav', abortSignal }) {
      if (outputFormat !== 'wav') throw invalid('/format', 'eSpeak NG gives WAV alone', 'format_unsupported')
      const known = new Set((await voices()).map(({ id }) => id))
      const voice = wanted ?? USUAL.find((id) => known.has(id)) ?? [...known][0] ?? ''
      if (!known.has(voice)) throw invalid('/voice', `There is no voice ${voice}`, 'voice_unknown')
      const pace = Math.min(450, Math.max(80, Math.round(WORDS_A_MINUTE * speed)))
      // The text goes in where no option can stand.
      const audio = await run(['--stdin', '--stdout', '-v', voice, '-s', String(pace)], text, abortSignal)
      if (audio.length < 44) throw upstreamFailed('eSpeak NG said nothing', { code: 'speech_failed' })
      return {
        audio: withSizes(audio),
        warnings: [],
        response: { timestamp: new Date(), modelId: info.modelId }
      }
    }
  }

  return {
    name: 'eSpeak NG',
    isLocal: true,
    configured: isInstalled,
    media: {
      speech: {
        list: async () => [info],
        async model() {
          if (!(await isInstalled()))
            throw unavailable('espeak-ng is not installed', { code: 'model_not_configured' })
          return { ...info, model, voices }
        }
      }
    }
  }
}

/** Lines such as ` 5  en-gb  --/M  English_(Great_Britain)  gmw/en  (en 2)`. */
export function voicesOf(listed: string): Voice[] {
  const found = new Map<string, Voice>()
  for (const line of listed.split('\n').slice(1)) {
    const [, id = '', name = ''] = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)/.exec(line) ?? []
    if (id !== '' && !found.has(id)) found.set(id, { id, name: name.replaceAll('_', ' '), languages: [id] })
  }
  return [...found.values()]
}

/** It writes its header before it knows how long it speaks. */
function withSizes(wav: Buffer): Buffer {
  wav.writeUInt32LE(wav.length - 8, 4)
  const data = wav.indexOf('data', 12, 'latin1')
  if (data > 0) wav.writeUInt32LE(wav.length - data - 8, data + 4)
  return wav
}

function run(args: readonly string[], input: string, signal?: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const child = spawn('espeak-ng', args, {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(signal && { signal })
  })
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  child.on('error', reject)
  child.on('close', (code) =>
    code === 0 && size <= MAX_BYTES
      ? resolve(Buffer.concat(chunks))
      : reject(upstreamFailed('eSpeak NG failed', { code: 'speech_failed' }))
  )
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}
