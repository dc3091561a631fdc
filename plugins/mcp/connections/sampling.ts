import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client'
import type { Exchange } from './exchange.ts'

/** Answers what a server asks the model, in the middle of a call. */
export type Sample = (
  exchange: Exchange | undefined,
  params: CreateMessageRequestParams
) => Promise<CreateMessageResult>
