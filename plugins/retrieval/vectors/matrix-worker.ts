import { parentPort } from 'node:worker_threads'
import type { Nearest } from './matrices.ts'
import { createMatrices } from './matrices.ts'

/** What is changed or looked for under some keys; what is not there has to be loaded again. */
export type MatrixQuestion =
  | {
      readonly do: 'add'
      readonly key: string
      /** Given: it begins anew. Bytes of all keys are what the first one says. */
      readonly begin?: { readonly dimensions: number; readonly maxBytes: number }
      readonly numbers: Float64Array
      readonly rows: Float32Array
    }
  | { readonly do: 'remove'; readonly key: string; readonly numbers: Float64Array }
  | {
      readonly do: 'search'
      readonly keys: readonly string[]
      readonly vector: Float32Array
      readonly limit: number
      readonly allowed?: Float64Array
    }
export type MatrixAnswer =
  | { readonly done: boolean }
  | { readonly nearest: readonly Nearest[]; readonly missing: readonly string[] }

let matrices: ReturnType<typeof createMatrices> | undefined

function answer(question: MatrixQuestion): MatrixAnswer {
  if (question.do === 'add') {
    const { key, begin, numbers, rows } = question
    if (begin) matrices ??= createMatrices(begin.maxBytes)
    if (begin) matrices?.create(key, begin.dimensions)
    return { done: matrices?.add(key, numbers, rows) === true }
  }
  if (question.do === 'remove') {
    matrices?.remove(question.key, question.numbers)
    return { done: true }
  }
  const { keys, vector, limit } = question
  const allowed = question.allowed && new Set(question.allowed)
  const missing = keys.filter((key) => !matrices?.has(key))
  const found = keys.flatMap((key) => matrices?.nearest(key, vector, limit, allowed) ?? [])
  return { nearest: found.sort((a, b) => b.score - a.score).slice(0, limit), missing }
}

parentPort?.on('message', (question: MatrixQuestion) => parentPort?.postMessage(answer(question)))
