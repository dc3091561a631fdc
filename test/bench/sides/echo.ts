import { createOutbox } from '../../../plugins/sandbox/wire.ts'

// A process that gives back each line, by the messages of the sandbox: what a call costs that goes to no program.

const put = createOutbox((text) => process.send?.(text), setImmediate)
process.on('message', (text: string) => {
  for (const line of text.split('\n')) put(line)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
