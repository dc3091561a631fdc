import { hostname } from 'node:os'
import type { Knex } from 'knex'
import { listLiving } from '../kernel/database/instance.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Started } from './start.ts'

/** Listens. Where that fails, now or until it is ready, what was started is closed, and the error says why in one line. */
export async function listen({ platform, close }: Started, settings: Settings) {
  const closed = async (error: Error) => {
    await close()
    throw error
  }
  const { url, ready } = await platform
    .listen()
    .catch(async (error) => closed(new Error(await listeningFault(error, settings, platform.knex))))
  return { url, ready: ready.catch(closed) }
}

/** Why nothing can listen there. */
async function listeningFault(
  { code, message }: NodeJS.ErrnoException,
  { HOST, PORT }: Settings,
  knex: Knex
): Promise<string> {
  switch (code) {
    case 'EADDRINUSE': {
      const living = await listLiving(knex).catch(() => [])
      const here = living.find(({ host, url }) => host === hostname() && portOf(url) === PORT)
      return here
        ? `PORT ${PORT} is taken on ${HOST}: this platform runs already on the same data, as process ${here.pid}. ` +
            'Use that one, or set PORT to start another beside it'
        : `PORT ${PORT} is taken on ${HOST} by another program: end that one, or set PORT`
    }
    case 'EADDRNOTAVAIL':
      return `HOST ${HOST} is no address of this machine: set HOST to one, or to 0.0.0.0 for all`
    case 'EACCES':
      return `PORT ${PORT} may not be used by the user of this process: set PORT to one from 1024 on`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${HOST} is a name that is not known here: set HOST to an address of this machine`
    default:
      return `HOST ${HOST} and PORT ${PORT} cannot be listened on: ${message}`
  }
}

const portOf = (url: string | null): number | undefined =>
  url === null ? undefined : Number(new URL(url).port || 80)
