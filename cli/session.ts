import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { IdentitySession } from 'agent-platform-client'

/** Who is signed in at this terminal, and where. */
export interface Session extends Pick<IdentitySession, 'projectId'> {
  readonly url: string
  readonly refreshToken: string
  readonly accessToken: string
  readonly expiresAt: number
}

const CLIENT = 'platform-cli'
/** So long before its end a token is not used any more. */
const AHEAD_MS = 30_000
/** Whoever holds the lock for longer was killed. */
const STALE_MS = 30_000
const LOOK_MS = 50

const fileOf = (env: NodeJS.ProcessEnv = process.env): string =>
  env.PLATFORM_SESSION_FILE ??
  join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'agent-platform', 'session.json')

/** Undefined where no one is signed in. */
export async function readSession(): Promise<Session | undefined> {
  const text = await readFile(fileOf(), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Session
  } catch {
    throw new Error(`${fileOf()} cannot be read: sign in once more by \`login\``)
  }
}

/** For its owner alone, and whole at every moment. */
export async function keepSession(session: Session): Promise<void> {
  const file = fileOf()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  const handle = await open(next, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(session, null, 2))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(next, 0o600)
  await rename(next, file)
}

export const forgetSession = (): Promise<void> => rm(fileOf(), { force: true })

/** One process of this person at a time: a refresh token that is used twice ends the session. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  const lock = `${fileOf()}.lock`
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
  for (;;) {
    const handle = await open(lock, 'wx', 0o600).catch(() => undefined)
    if (handle) {
      await handle.close()
      break
    }
    const age =
      Date.now() -
      (await stat(lock).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now()
      ))
    if (age > STALE_MS) await rm(lock, { force: true })
    await delay(LOOK_MS)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** The reply of the provider, and whether it is one that it gives for good. */
export async function post(
  url: string,
  path: string,
  form: Readonly<Record<string, string>>
): Promise<{ ok: boolean; status: number; body: Record<string, unknown> }> {
  const body = new URLSearchParams({ client_id: CLIENT, ...form })
  const reply = await fetch(`${url}/identity/${path}`, { method: 'POST', body, redirect: 'manual' })
  return {
    ok: reply.ok,
    status: reply.status,
    body: (await reply.json().catch(() => ({}))) as Record<string, unknown>
  }
}

/** A session by what the provider answered. */
export function sessionOf(url: string, body: Record<string, unknown>, before?: Partial<Session>): Session {
  const {
    access_token: accessToken,
    refresh_token: refreshToken = before?.refreshToken,
    expires_in: seconds
  } = body
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string')
    throw new Error(`${url} answered with no tokens`)
  const expiresAt = Date.now() + Number(seconds) * 1_000
  return {
    url,
    accessToken,
    refreshToken,
    expiresAt,
    ...(before?.projectId && { projectId: before.projectId })
  }
}

/** The session with an access token that is good for a while yet, in `projectId` where one is named. */
export async function freshSession({ projectId }: { projectId?: string } = {}): Promise<Session> {
  const isFresh = (session: Session) =>
    session.expiresAt - AHEAD_MS > Date.now() && (projectId === undefined || projectId === session.projectId)
  const known = await readSession()
  if (known && isFresh(known)) return known
  return locked(async () => {
    const session = await readSession()
    if (!session) throw new Error('No one is signed in: `login` signs in')
    if (isFresh(session)) return session
    const wanted = projectId ?? session.projectId
    const { ok, status, body } = await post(session.url, 'token', {
      grant_type: 'refresh_token',
      refresh_token: session.refreshToken,
      ...(wanted && { project_id: wanted })
    })
    if (status === 400 || status === 401) {
      if (projectId !== undefined && projectId !== session.projectId)
        throw new Error(`You do not belong to project ${projectId}; sign in once more by \`login\``)
      await forgetSession()
      throw new Error('The session has ended: `login` signs in')
    }
    if (!ok) throw new Error(`${session.url} answered ${status}: try again`)
    const next = { ...sessionOf(session.url, body, session), ...(wanted && { projectId: wanted }) }
    await keepSession(next)
    return next
  })
}
