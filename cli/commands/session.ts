import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'agent-platform-client'
import { Command } from 'commander'
import { withDatabase } from '../database.ts'
import { interrupted, unlessInterrupted } from '../interruption.ts'
import { checkUrl, findRunning, urlOption } from '../operator.ts'
import { examples, inShort, jsonOption, note, say, showOne } from '../output.ts'
import { forgetSession, freshSession, keepSession, post, readSession, sessionOf } from '../session.ts'

interface Common {
  readonly url?: string
  readonly json?: boolean
}

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const SCOPES =
  'openid offline_access email agents:create agents:read agents:write agents:run compute:read compute:write activity:read usage:read'
const FIRST_PAUSE_S = 5
/** Who has just signed in is not asked once more. */
const LATELY_S = '60'

export const loginCommand = (): Command =>
  examples(
    new Command('login')
      .description('Sign in as a person: prints a URL and a code, and waits until you confirm in a browser')
      .option(
        '--fresh',
        're-authenticate in the browser, which is required to create keys or invite operators'
      )
      .option('--admin', 'request platform:admin, for operators')
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(login),
    'login',
    'login --url https://platform.example.com'
  )

export const logoutCommand = (): Command =>
  examples(
    new Command('logout')
      .description('End the session of this terminal, and revoke it on the platform')
      .action(logout),
    'logout'
  )

export const whoamiCommand = (): Command =>
  examples(
    new Command('whoami')
      .description('Show who is signed in, on which platform and in which project')
      .addOption(jsonOption())
      .action(whoami),
    'whoami'
  )

/** The platform that is named, else the one that runs on this machine. */
async function addressOf(url: string | undefined): Promise<string> {
  if (url) return checkUrl(url)
  const running = await withDatabase(({ knex }) => findRunning(knex))
  if (!running) throw new Error('No platform runs on this machine: name one by --url')
  return running.url
}

interface Login extends Common {
  readonly admin?: boolean
  readonly fresh?: boolean
}

async function login({ url: given, admin = false, fresh = false, json }: Login) {
  const url = await unlessInterrupted(addressOf(given))
  const scope = admin ? `${SCOPES} platform:admin` : SCOPES
  const begun = await unlessInterrupted(
    post(url, 'device-authorization', { scope, ...(fresh && { max_age: LATELY_S }) })
  )
  const { device_code: code, user_code: shown, verification_uri: page, expires_in: seconds } = begun.body
  if (!begun.ok || typeof code !== 'string')
    throw new Error(`${url} signs no one in (it answered ${begun.status}): is the pack identity on?`)
  note(`Open ${page} and enter ${shown}`)
  note(`Or open ${begun.body.verification_uri_complete}`)
  const body = await approved(url, code, Number(seconds), Number(begun.body.interval ?? FIRST_PAUSE_S))
  const made = sessionOf(url, body)
  const { data } = await createClient({ baseUrl: url, apiKey: made.accessToken }).get('/v1/auth/me')
  await keepSession({ ...made, projectId: data.project })
  say(`Signed in as ${data.principalId} in project ${data.project}, from ${hostname()}`, data, json)
}

/** What the provider answers once the person has agreed. */
async function approved(url: string, code: string, seconds: number, interval: number) {
  let pause = interval
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; ) {
    await delay(pause * 1_000, undefined, { signal: interrupted }).catch(() => {
      throw interrupted.reason
    })
    const { ok, body } = await post(url, 'token', { grant_type: DEVICE, device_code: code })
    if (ok) return body
    if (body.error === 'slow_down') pause += FIRST_PAUSE_S
    else if (body.error === 'access_denied') throw new Error('It was refused in the browser')
    else if (body.error === 'expired_token') break
    else if (body.error !== 'authorization_pending')
      throw new Error(`${url} refused: ${body.error ?? 'no reason given'}`)
  }
  throw new Error('The code has expired: `login` shows another one')
}

async function logout() {
  const session = await readSession()
  if (!session) {
    say('No one was signed in')
    return
  }
  const { refreshToken: token, url } = session
  const revoked = await post(url, 'revoke', { token }).catch(() => undefined)
  await forgetSession()
  say('Signed out')
  if (!revoked?.ok) note(`${url} could not be told: the session ends there when it is not used any more`)
}

async function whoami({ json }: Common) {
  const { url, accessToken } = await unlessInterrupted(freshSession())
  const { data } = await createClient({ baseUrl: url, apiKey: accessToken }).get('/v1/auth/me')
  type Me = typeof data
  const columns = {
    person: (me: Me) => me.principalId,
    project: (me: Me) => me.project,
    scopes: (me: Me) => inShort(me.scopes),
    platform: () => url
  }
  showOne(data, columns, json)
}
