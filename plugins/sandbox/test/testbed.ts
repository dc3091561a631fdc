import type { SandboxAnswer, SandboxCall, SandboxLimits } from '../contract.ts'
import { readLibrary } from '../library.ts'
import type { Pool } from '../pool/pool.ts'
import { createPool } from '../pool/pool.ts'
import type { SandboxSettings } from '../settings.ts'

const ada = { project: 'default', owner: 'ada' }
const settings: SandboxSettings = {
  processes: 4,
  warm: 50,
  warmPerProcess: 25,
  idleSeconds: 120,
  processMegabytes: 512,
  cpuMilliseconds: 1_000,
  burstMilliseconds: 3_600_000,
  wallMilliseconds: 30_000,
  heapMegabytes: 64,
  pending: 32,
  messageSize: 1_048_576,
  logLines: 200,
  callsPerOwner: 1_000
}

export interface Asking extends Partial<Omit<SandboxCall, 'program'>> {
  readonly name?: string
  readonly group?: string
  readonly limits?: Partial<SandboxLimits>
}

/** A sandbox without a platform around it. */
export async function sandbox(
  t: { teardown(work: () => unknown): unknown },
  others: Partial<SandboxSettings> = {}
) {
  const pool: Pool = createPool(await readLibrary(), { ...settings, ...others })
  t.teardown(() => pool.close())
  return {
    pool,

    /** Calls `go` of a program of that body. */
    async go(
      body: string,
      { name = 'app', group = 'default', limits, ...call }: Asking = {}
    ): Promise<SandboxAnswer> {
      const text = body.includes('export ')
        ? body
        : `export const functions = { async go(input, context) {\n${body}\n} }`
      const { answer } = await pool.ask({
        program: {
          id: `${group}/${name}/${text}`,
          group,
          culprit: `${group}/${name}`,
          load: async () => text,
          limits
        },
        by: ada,
        fn: 'go',
        input: null,
        host: async (method, params) => ({ data: { method, params } }),
        ...call
      })
      return answer
    }
  }
}

/** What a call gave, or its code and message. */
export const outcome = (answer: SandboxAnswer): unknown =>
  'data' in answer ? answer.data : `${answer.error.code}: ${answer.error.message}`
