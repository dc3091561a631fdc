import type { Knex } from 'knex'

/** Since then a schema's owner alone may create in `public`, and what the migrations say is known. */
const OLDEST = 15

/** What no second attempt mends: who asks, which database, what that user may. */
const HOPELESS: Readonly<Record<string, string>> = {
  '28000': 'correct the user in DATABASE_URL, or let that user in',
  '28P01': 'correct the user or the password in DATABASE_URL',
  '3D000': 'create that database, or correct its name in DATABASE_URL',
  '42501': 'give the user of DATABASE_URL the right to create schemas there'
}

class TooOld extends Error {}

/** Rejects where the server is older than this platform can use. */
export async function checkServer(knex: Knex): Promise<void> {
  const { rows } = await knex.raw('show server_version')
  const version: string = rows[0].server_version
  if (Number.parseInt(version, 10) < OLDEST)
    throw new TooOld(
      `it is PostgreSQL ${version}: set DATABASE_URL to a server of version ${OLDEST} or newer`
    )
}

/** Why a database that answers cannot be used, in one line; undefined where trying again may help. */
export function unusable(error: unknown): string | undefined {
  for (let it = error; it instanceof Error; it = it.cause) {
    const wayOut = HOPELESS[String((it as { code?: unknown }).code)]
    if (it instanceof TooOld) return `The database cannot be used: ${it.message}`
    // knex writes the statement before what the server says.
    const said = it.message.slice(it.message.lastIndexOf(' - ') + 1).replace(/^- /, '')
    if (wayOut) return `The database cannot be used: ${said.trim()}: ${wayOut}`
  }
}
