import { conflict, upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'

/** What a host says of itself, at most. */
const REPLY_BYTES = 4_194_304
const PUSH_MS = 120_000
const NONE = '0'.repeat(40)

export interface Remote {
  readonly outgoing: Pick<Outgoing, 'fetch'>
  readonly url: URL
  /** `Authorization` of each request. */
  readonly authorization: string
}

const lineOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}
const FLUSH = Buffer.from('0000')

/** Lines of the protocol; null for what separates them. What is malformed ends them. */
function* linesOf(bytes: Buffer): Generator<Buffer | null> {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = /^[0-9a-f]{4}$/i.test(bytes.toString('latin1', at, at + 4))
      ? Number.parseInt(bytes.toString('latin1', at, at + 4), 16)
      : -1
    if (length < 0 || (length > 0 && length < 4) || at + length > bytes.length) throw malformed()
    yield length === 0 ? null : bytes.subarray(at + 4, at + length)
    at += Math.max(4, length)
  }
}
const malformed = () => upstreamFailed('The host did not answer as Git does', { code: 'git_malformed' })

/** Where the credential was not taken, which another one may be tried for. */
export class CredentialRefused extends Error {}

async function ask({ outgoing, url, authorization }: Remote, path: string, body?: Buffer): Promise<Buffer> {
  const base = url.href.replace(/\/$/, '')
  const reply = await outgoing.fetch(`${base}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization,
      'user-agent': 'git/agent-platform',
      ...(body && {
        'content-type': 'application/x-git-receive-pack-request',
        accept: 'application/x-git-receive-pack-result'
      })
    },
    ...(body && { body }),
    // The credential is for this host alone.
    redirect: 'error',
    maxBytes: REPLY_BYTES,
    timeoutMs: PUSH_MS
  })
  if (reply.status === 401) {
    await reply.body?.cancel()
    throw new CredentialRefused()
  }
  if (!reply.ok) {
    await reply.body?.cancel()
    const why = reply.status === 403 ? 'the credential may not push there' : `status ${reply.status}`
    throw upstreamFailed(`The host refused: ${why}`, {
      code: reply.status === 404 ? 'repository_unknown' : 'git_refused'
    })
  }
  return Buffer.from(await reply.arrayBuffer())
}

/** What a branch is at; undefined where it is not there yet. */
export async function headOf(remote: Remote, branch: string): Promise<string | undefined> {
  const bytes = await ask(remote, '/info/refs?service=git-receive-pack')
  const [service, ...lines] = [...linesOf(bytes)]
  if (service?.toString().trim() !== '# service=git-receive-pack') throw malformed()
  let isSha1 = true
  let found: string | undefined
  for (const line of lines) {
    if (line === null) continue
    const [ref = '', capabilities] = line.toString().trimEnd().split('\0')
    if (capabilities?.includes('object-format=') && !/object-format=sha1(?: |$)/.test(capabilities))
      isSha1 = false
    const [, id, name] = /^([0-9a-f]{40}) (.+)$/.exec(ref) ?? []
    if (name === `refs/heads/${branch}`) found = id
  }
  if (!isSha1)
    throw upstreamFailed('The repository names its objects by SHA-256, which is not spoken here', {
      code: 'git_refused'
    })
  return found
}

/** Moves a branch from one commit to another; 409 where it has moved since, or the host does not want it. */
export async function push(
  remote: Remote,
  { branch, from, to, pack }: { branch: string; from: string | undefined; to: string; pack: Buffer }
): Promise<void> {
  const order = `${from ?? NONE} ${to} refs/heads/${branch}\0 report-status agent=agent-platform`
  const reply = await ask(remote, '/git-receive-pack', Buffer.concat([lineOf(order), FLUSH, pack]))
  const lines = [...linesOf(reply)].flatMap((line) => (line === null ? [] : [line.toString().trimEnd()]))
  const refusal =
    lines.find((line) => line.startsWith('ng ')) ?? lines.find((line) => /^unpack (?!ok$)/.test(line))
  if (refusal !== undefined)
    throw conflict(`The host did not take it: ${refusal.replace(/^ng \S+ /, '').slice(0, 300)}`, {
      code: 'push_refused'
    })
  if (!lines.includes(`ok refs/heads/${branch}`)) throw malformed()
}
