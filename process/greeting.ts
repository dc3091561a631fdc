import { setTimeout as delay } from 'node:timers/promises'
import { styleText } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { Greeted, GreetingLine } from '../kernel/contract/pack.ts'
import { createLocalAccess } from '../kernel/identity/local.ts'
import type { Platform } from '../kernel/platform.ts'
import type { Settings } from '../kernel/settings.ts'
import { developmentKeyFile, openDevelopmentKey } from './development-key.ts'

interface About {
  readonly platform: Pick<Platform, 'knex' | 'credentials' | 'points'>
  readonly settings: Settings
  readonly version: string
  /** Where it is reached from this machine. */
  readonly url: string
  /** Folder of the embedded database, if that is the one. */
  readonly where: string | undefined
  /** Whether it is written to a terminal. */
  readonly isTerminal: boolean
  readonly log: FastifyBaseLogger
}

/** The greeting waits no longer for what a pack has to say. */
const PATIENCE_MS = 5_000
const WIDTH = 96

/** What a developer reads when the platform is ready: outside production only, and never a key. */
export async function greeting(about: About): Promise<string> {
  const { settings, url } = about
  const { key, greeted } = await meet(about)
  const lines = greeted ? await ask(about, greeted) : []
  const facts = [
    { label: 'API', text: url },
    ...lines.filter(({ isCommand }) => !isCommand),
    { label: 'Data', text: dataOf(about) },
    { label: 'Key', text: key }
  ]
  const width = Math.max(...facts.map(({ label }) => label.length)) + 2
  const commands = lines.filter(({ isCommand }) => isCommand)
  const title = styleText('bold', `Agent Platform ${about.version} is ready`)
  const head = `${title}${settings.DEPLOYMENT === 'development' ? '' : ` (${settings.DEPLOYMENT})`}.`
  return [
    '',
    head,
    '',
    ...facts.flatMap(({ label, text }) => column(`  ${label.padEnd(width)}`, text)),
    ...commands.flatMap(({ label, text }) => ['', `${label}:`, '', text]),
    '',
    ''
  ].join('\n')
}

/** The developer who is greeted, and what is shown of the key; undefined where there is no key. */
async function meet({
  platform,
  settings,
  url,
  isTerminal,
  log
}: About): Promise<{ key: string; greeted?: Greeted }> {
  if (!settings.API_AUTH_REQUIRED) {
    const { localUser: by } = createLocalAccess([])
    return {
      key: 'none is needed: API_AUTH_REQUIRED is false',
      greeted: { by, url, credential: '', isTerminal }
    }
  }
  const file = developmentKeyFile(settings.DATA_DIR)
  try {
    const by = await openDevelopmentKey(file, platform)
    const credential = `-H "Authorization: Bearer $(cat ${shellWord(file)})"`
    return { key: `${file} (may do everything)`, greeted: { by, url, credential, isTerminal } }
  } catch (error) {
    log.warn({ err: error }, 'no development key')
    return { key: 'none: make one by npm run -s platform -- keys create --help' }
  }
}

/** What packs add, in the order of their contributions; one that fails or hangs adds nothing. */
async function ask({ platform, log }: About, greeted: Greeted): Promise<readonly GreetingLine[]> {
  const asked = platform.points.all('platform.greeting').map(async ({ pack, value }) => {
    const over = new AbortController()
    const late = delay(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
      throw new Error(`no answer in ${PATIENCE_MS} ms`)
    })
    try {
      return await Promise.race([value.greet(greeted), late])
    } catch (error) {
      log.warn({ err: error, pack }, 'a pack has nothing to greet with')
      return []
    } finally {
      over.abort()
    }
  })
  return (await Promise.all(asked)).flat()
}

function dataOf({ settings, where }: About): string {
  const { DATA_DIR, DATABASE_URL } = settings
  if (where?.startsWith(DATA_DIR)) return DATA_DIR
  if (where) return `${DATA_DIR} (its database: ${where})`
  // Neither user nor password, nor what else an address may carry.
  const address = URL.parse(DATABASE_URL ?? '')
  if (!address?.hostname) return `${DATA_DIR}, database of DATABASE_URL`
  return `${DATA_DIR}, database ${address.pathname.slice(1)} at ${address.host} (DATABASE_URL)`
}

/** A word of the shell that stands for this text. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Broken between words at the usual width, below the beginning of the text. */
function column(head: string, text: string): string[] {
  const lines: string[] = []
  let line = head
  for (const word of text.split(' ')) {
    const isEmpty = line.trim() === '' || line === head
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = ' '.repeat(head.length)
      line += word
    } else line += isEmpty ? word : ` ${word}`
  }
  return [...lines, line]
}
