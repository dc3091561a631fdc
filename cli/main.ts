// The operator's commands: `npm run -s platform -- <command>`, on a stopped or a running platform.
import { INTERRUPTED } from './faults.ts'
import { heedInterruption, interrupt } from './interruption.ts'
import { runProgram } from './program.ts'

heedInterruption()
// The reader may have enough: `packs list | head -1`.
process.stdout.on('error', interrupt)

process.exitCode = await runProgram(process.argv.slice(2))
// A request whose reply is of no use any more would be waited for.
if (process.exitCode === INTERRUPTED) process.exit()
