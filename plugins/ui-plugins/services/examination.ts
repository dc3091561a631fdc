import type { Principal } from 'agent-platform'
import { invalid, pointerToken, unavailable } from 'agent-platform'
import type { Sandbox, SandboxCode, SandboxProgram } from '../../sandbox/contract.ts'
import type { Package } from './packages.ts'

export type Examination = ReturnType<typeof createExamination>

/** What says nothing of the program for sure; one that is only loaded awaits nothing, so that its time went by without a process. */
const ELSEWHERE: ReadonlySet<SandboxCode> = new Set([
  'sandbox_lost',
  'overloaded',
  'quarantined',
  'time_exceeded',
  'aborted'
])

/** Of these, what the code that was sent before, or is sent now, most likely did. */
const ITS_OWN: ReadonlySet<SandboxCode> = new Set(['quarantined', 'time_exceeded'])

/** Server code of versions as they come in, loaded once in the sandbox and called by nobody. */
export function createExamination({ sandbox }: { sandbox: Sandbox | undefined }) {
  /**
   * 400 with the place where the code does not load, or does not export a function that is declared; 503 with the sandbox's code
   * where that cannot be told now. Where the sandbox is off nothing is examined. Never inside a transaction.
   */
  async function examine(by: Principal, { manifest, contents, digest }: Package): Promise<void> {
    const entry = manifest.server?.entry
    const bytes = entry === undefined ? undefined : contents.get(entry)
    if (!sandbox || entry === undefined || !bytes) return
    const { project, owner } = by
    // Code that nobody enabled yet is blamed on who sends it, and not on the app, whose enabled version goes on.
    const culprit = `${project}/registers/${owner}`
    const program: SandboxProgram = {
      id: `${culprit}/${digest}`,
      group: project,
      culprit,
      load: async () => bytes.toString(),
      limits: { memoryMb: manifest.limits?.memoryMb }
    }
    const found = await sandbox.examine(program, by)
    sandbox.evict(program.id)
    const param = `/files/${pointerToken(entry)}`
    if ('error' in found) {
      const { code, message } = found.error
      if (!ELSEWHERE.has(code)) throw invalid(param, `${entry}: ${message}`, code)
      const cause = ITS_OWN.has(code) ? null : undefined
      throw unavailable(`${entry} could not be examined: ${message}`, { code, param, cause })
    }
    for (const [at, { name }] of manifest.functions.entries())
      if (!found.functions.includes(name))
        throw invalid(`/manifest/functions/${at}/name`, `${entry} does not export a function ${name}`)
  }

  return { examine }
}
