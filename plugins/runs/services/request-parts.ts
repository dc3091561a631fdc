import type { Kernel } from 'agent-platform'
import { invalid, unavailable } from 'agent-platform'
import type { RunInfo } from '../contract.ts'
import type { RunRequest } from '../schemas/runs.ts'

export type RequestParts = ReturnType<typeof createRequestParts>

/** Parts of a body that something else must serve, and what that is called. */
const parts = [
  {
    key: 'attachments',
    needs: 'files',
    wanted: (body: RunRequest) => (body.attachments?.length ? body.attachments : undefined)
  },
  {
    key: 'computerRequest',
    needs: 'computers',
    wanted: (body: RunRequest) => (body.computerRequest?.enabled ? body.computerRequest : undefined)
  },
  {
    key: 'provenance',
    needs: 'provenance',
    wanted: ({ provenance }: RunRequest) =>
      provenance?.mode === 'full' || provenance?.onchain ? provenance : undefined
  }
] as const

/** 400 for what no schema can say. */
export function refuseTwins({ cliTools = [] }: RunRequest): void {
  const names = new Set<string>()
  for (const [index, { name }] of cliTools.entries()) {
    if (names.has(name)) throw invalid(`/cliTools/${index}/name`, `There are two tools ${name}`)
    names.add(name)
  }
}

/** What a run needs of packs that may be off. */
export function createRequestParts({ points }: Pick<Kernel, 'points'>) {
  /** 503 naming the capability that is off, before anything happens; else whatever its pack says. */
  async function accept(run: RunInfo, request: RunRequest): Promise<void> {
    for (const { key, needs, wanted } of parts) {
      const value = wanted(request)
      if (value === undefined) continue
      const served = points.all('runs.request').filter((part) => part.key === key)
      if (served.length === 0)
        throw unavailable(`${key} needs ${needs}, which is not installed or off`, {
          code: 'capability_missing',
          param: `/${key}`
        })
      for (const part of served) await part.value.accept(run, value)
    }
  }

  return { accept }
}
