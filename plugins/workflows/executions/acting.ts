import type { Kernel, Principal } from 'agent-platform'
import { OWNER_DISABLED } from './failures.ts'
import type { ExecutionRecord, StepError } from './journal.ts'

type Acting =
  | { readonly by: Principal; readonly refusal?: undefined }
  | { readonly by?: undefined; readonly refusal: StepError }

/** Who goes on with an execution, or why nobody may. */
export async function actingOf(
  principals: Kernel['principals'],
  { project, owner, delegation }: Pick<ExecutionRecord, 'project' | 'owner' | 'delegation'>
): Promise<Acting> {
  try {
    const by = await principals.of(project, owner, delegation)
    return by ? { by } : { refusal: OWNER_DISABLED }
  } catch (error) {
    const { kind, code, message } = error as { kind?: string; code?: unknown; message: string }
    if (kind !== 'forbidden') throw error
    return { refusal: { code: String(code), message } }
  }
}
