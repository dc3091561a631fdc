import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Context } from 'node:vm'
import { constants, createContext, Script } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { isTimeOver, timeBoxed } from '../../contract/time-box.ts'
import { realm } from './realm.ts'

// JSONata runs in a realm that has nothing but the language: no module, no timer, no code from text. Its promises are
// settled within the call, so that the clock of the call stops whatever an expression does, a pattern included.

/** Milliseconds of the processor, for all expressions of a template. */
const TIME_MS = 250
const LIMITS = { size: 262_144, stack: 2_000, sequence: 100_000 }

const library = new Script(readFileSync(fileURLToPath(import.meta.resolve('jsonata')), 'utf8'))
const setting = new Script(`const ask = (${realm})(${JSON.stringify(LIMITS)})`)
const asking = new Script('answer = undefined; ask(question).then((it) => { answer = it })')

function begin(): Context {
  const made = createContext(constants.DONT_CONTEXTIFY, {
    microtaskMode: 'afterEvaluate',
    codeGeneration: { strings: false, wasm: false }
  })
  library.runInContext(made)
  setting.runInContext(made)
  return made
}

let context = begin()
/** Something of a question that was stopped may be left in it. */
let isClean = true

function answerTo(question: string): string {
  if (!isClean) context = begin()
  isClean = false
  context.question = question
  asking.runInContext(context)
  const answer: unknown = context.answer
  if (typeof answer !== 'string') throw new Error('The expression has no end')
  isClean = true
  return answer
}

const failed = (limit: boolean, text: string) => JSON.stringify({ failure: { limit, text } })

parentPort?.on('message', (question: string) => {
  let answer: string
  try {
    answer = timeBoxed(TIME_MS, () => answerTo(question))
  } catch (error) {
    answer = isTimeOver(error) ? failed(true, 'It takes too long') : failed(true, 'It takes too much')
  }
  parentPort?.postMessage(answer)
})
