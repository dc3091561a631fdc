import type { FastifyReply } from 'fastify'

/** Aborted when the caller goes away before it has the whole reply; nothing is cancelled by that alone. */
export function closed({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const left = new AbortController()
  const leave = () => raw.writableFinished || left.abort(new Error('The caller left'))
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return left.signal
}
