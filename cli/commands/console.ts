import type { Client } from 'agent-platform-client'
import { Command } from 'commander'
import type { Wanted } from '../operator.ts'
import { projectOption, urlOption, withPlatform } from '../operator.ts'
import { examples, jsonOption, say } from '../output.ts'

/** A session lasts for a week at most, and ends with the token that its link was made with. */
const MINUTES = 7 * 24 * 60 + 10

const linkOf = async (client: Client) => (await client.post('/console/links')).data

export const consoleCommand = (): Command =>
  examples(
    new Command('console')
      .description(
        'Print a single-use link that signs a browser in to the console (expires after 10 minutes)'
      )
      .addOption(projectOption())
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(print),
    'console',
    'console --project shop'
  )

async function print({ json, ...wanted }: Wanted & { json?: boolean }) {
  const asDeveloper = wanted.project === undefined
  const how = { admin: true, minutes: MINUTES, isRunning: true, isContinued: true, asDeveloper }
  const link = await withPlatform({ ...wanted, ...how }, linkOf)
  say(link.url, link, json)
}
