// `npm run check`: form, types, who imports whom, and what nothing uses. `npm run check plugins/notes` looks at the form and the
// imports of that folder alone, at all types, and not for what nothing uses: for those who work on it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const folders = process.argv.slice(2)
const all = folders.length === 0
const dependencies = (places: readonly string[]) =>
  `depcruise ${places.join(' ')} --config .dependency-cruiser.cjs`
/** The compiler of TypeScript 7, by its path: TypeScript 5, whose API others call, has a command of the same name. */
const tsc = 'node node_modules/typescript-native/bin/tsc'
const pages = `${tsc} -p plugins/console/web`
const app = `${tsc} -p apps-sdk/app --noEmit --incremental --tsBuildInfoFile node_modules/.cache/tsconfig.app.tsbuildinfo`

/** The longest first: as many go on at once as there are processors. */
const left = all
  ? [
      tsc,
      pages,
      app,
      'biome check .',
      dependencies(['kernel', 'cli', 'process', 'plugins', 'test', 'apps-sdk', 'examples']),
      'knip'
    ]
  : [
      tsc,
      ...(folders.some((folder) => existsSync(join(folder, 'web'))) ? [pages] : []),
      dependencies(folders),
      `biome check ${folders.join(' ')}`
    ]

/** What it printed is shown as a whole: others print meanwhile. */
function run(command: string): Promise<boolean> {
  const [program = '', ...args] = command.split(' ')
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (status) => {
      const isWell = status === 0
      if (output.trim() || !isWell) console.log(`── ${command}${isWell ? '' : ' failed'}\n${output.trim()}`)
      resolve(isWell)
    })
  })
}

async function work(): Promise<boolean> {
  let isWell = true
  for (let command = left.shift(); command; command = left.shift()) isWell = (await run(command)) && isWell
  return isWell
}
const outcomes = await Promise.all(Array.from({ length: availableParallelism() }, work))
process.exitCode = outcomes.every(Boolean) ? 0 : 1
