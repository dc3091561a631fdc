import type { RunOrder } from '../contract.ts'
import type { RunRequest } from '../schemas/runs.ts'

/** What a run is asked to do: by a body, or by another pack, which may say more. */
export type Asked = Omit<RunRequest, 'messages'> &
  Pick<RunOrder, 'messages' | 'model' | 'answerSchema' | 'silentAnswer'>
