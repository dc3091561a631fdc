import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { WrongUsage } from './faults.ts'
import { interrupt, interrupted } from './interruption.ts'

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream
}

/** Lets pass what the operator says yes to and then names, or what a program named beforehand. */
export async function confirmTwice(
  what: string,
  name: string,
  given: string | undefined,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr }
): Promise<void> {
  if (given === name) return
  if (given !== undefined) throw new WrongUsage(`--yes ${given} does not name ${name}`)
  if (!input.isTTY) throw new WrongUsage(`No terminal for a confirmation: add --yes ${name}`)
  const answers = createInterface({ input, output })
  // On a terminal Ctrl-C comes as a key.
  answers.on('SIGINT', interrupt)
  try {
    // At the end of input, Ctrl-D say, a question is left open.
    const end = once(answers, 'close').then(() => '')
    const ask = async (question: string) =>
      (await Promise.race([answers.question(question, { signal: interrupted }), end])).trim()
    if (!/^y(?:es)?$/i.test(await ask(`${what}? [y/N] `))) throw new Error('Nothing was removed')
    if ((await ask('Its name once more, to be sure: ')) !== name)
      throw new Error('That is another name: nothing was removed')
  } catch (error) {
    if (interrupted.aborted) throw interrupted.reason
    // Ctrl-D.
    throw (error as Error).name === 'AbortError' ? new Error('Nothing was removed') : error
  } finally {
    answers.close()
  }
}
