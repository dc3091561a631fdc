import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RATE } from './samples.ts'

/** As much of ONNX Runtime as is used. */
interface Numbers {
  readonly data: unknown
}
type Named = Record<string, Numbers>
interface Runtime {
  readonly Tensor: new (type: string, data: unknown, shape?: readonly number[]) => Numbers
  readonly InferenceSession: {
    create(file: string, options: object): Promise<{ run(feeds: Named): Promise<Named> }>
  }
}

/** Where the weights of Moonshine tiny (English, MIT) lie; throws where the packages are not installed. */
export function weights(): { encoder: string; decoder: string } {
  const require = createRequire(import.meta.url)
  require.resolve('onnxruntime-node')
  const main = dirname(fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js')))
  const folder = join(main, 'model/tiny/quantized')
  return {
    encoder: join(folder, 'encoder_model.onnx'),
    decoder: join(folder, 'decoder_model_merged.onnx')
  }
}

const LAYERS = 6
const HEADS = 8
const HEAD = 36
const BEGIN = 1
const END = 2
/** More tokens in a second nobody says. */
const TOKENS_A_SECOND = 6.5

/**
 * The model: an encoder of sound, and a decoder that is asked for one token after the other. What one piece has said is not told
 * to the next. See "Moonshine: Speech Recognition for Live Transcription and Voice Commands" (arXiv 2410.15608).
 */
export async function loadMoonshine(): Promise<(samples: Float32Array) => Promise<string>> {
  // Optional: named so that types and checks do not need it.
  const runtime = 'onnxruntime-node'
  const { InferenceSession, Tensor } = (await import(runtime)) as Runtime
  const { default: tokenizer } = await import('llama-tokenizer-js')
  const { encoder: encoderFile, decoder: decoderFile } = weights()
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionProviders: ['cpu'] }
  const encoder = await InferenceSession.create(encoderFile, options)
  const decoder = await InferenceSession.create(decoderFile, options)
  const empty = () => new Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD])

  return async (samples) => {
    const input = new Tensor('float32', samples, [1, samples.length])
    const { last_hidden_state: heard } = await encoder.run({ input_values: input })
    if (!heard) return ''
    const past = new Map<string, Numbers>()
    for (let layer = 0; layer < LAYERS; layer++)
      for (const side of ['decoder', 'encoder'])
        for (const part of ['key', 'value']) past.set(`${layer}.${side}.${part}`, empty())
    const tokens: number[] = []
    const most = Math.max(2, Math.ceil((samples.length / RATE) * TOKENS_A_SECOND))
    for (let next = BEGIN; tokens.length < most; ) {
      const isFirst = next === BEGIN && tokens.length === 0
      const feeds: Record<string, Numbers> = {
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(next)), [1, 1]),
        encoder_hidden_states: heard,
        use_cache_branch: new Tensor('bool', [!isFirst])
      }
      for (const [name, tensor] of past) feeds[`past_key_values.${name}`] = tensor
      const said = await decoder.run(feeds)
      next = greatest(said.logits?.data as Float32Array)
      if (next === END) break
      tokens.push(next)
      // What was heard stays as the first step gave it.
      for (const name of past.keys()) {
        const present = said[`present.${name}`]
        if (present && (isFirst || name.includes('.decoder.'))) past.set(name, present)
      }
    }
    return tokenizer.decode([BEGIN, ...tokens]).trim()
  }
}

function greatest(numbers: Float32Array): number {
  let best = 0
  for (let at = 1; at < numbers.length; at++) if ((numbers[at] ?? 0) > (numbers[best] ?? 0)) best = at
  return best
}
