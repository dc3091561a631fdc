import type { Attachment } from '../../sessions/contract.ts'
import type { OrderedMessage, RunOrder } from '../contract.ts'
import type { RunRequest } from '../schemas/runs.ts'

/** A message with what the parts of its request gave it. */
export type AskedMessage = OrderedMessage & { readonly attachments?: readonly Attachment[] }

/** What a run is asked to do: by a body, or by another pack, which may say more. */
export type Asked = Omit<RunRequest, 'messages'> &
  Pick<RunOrder, 'model' | 'answerSchema' | 'silentAnswer'> & {
    readonly messages: readonly AskedMessage[]
  }
