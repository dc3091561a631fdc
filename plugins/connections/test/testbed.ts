import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { Asked } from '../../../test/loopback.ts'
import { json, service } from '../../../test/loopback.ts'
import type { Opened, Opening } from '../services/opening.ts'
import type { TokenService } from '../services/tokens.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
type Answer = (reply: ServerResponse, asked: Asked) => unknown

export const CLIENT = { id: 'the-platform', secret: 'secret of the platform' }

/** A provider that does as it is told: well, unless `answers` say otherwise for a path. */
export async function provider(t: Scope) {
  const codes = new Map<string, URLSearchParams>()
  const valid = new Set<string>()
  const renewable = new Set<string>()
  const state = {
    answers: {} as Record<string, Answer | undefined>,
    expiresIn: 3_600 as number | undefined,
    scope: undefined as string | undefined,
    gives: () => `at-${randomUUID()}`,
    hasRefresh: true,
    account: 'ada@example.com'
  }

  function give(scope: string) {
    const [token, refresh] = [state.gives(), `rt-${randomUUID()}`]
    valid.add(token)
    if (state.hasRefresh) renewable.add(refresh)
    return {
      access_token: token,
      token_type: 'Bearer',
      scope: state.scope ?? scope,
      ...(state.hasRefresh && { refresh_token: refresh }),
      ...(state.expiresIn !== undefined && { expires_in: state.expiresIn })
    }
  }

  /** What is given for a code or a refresh token; undefined for those that are none. */
  function exchange({ headers, body }: Asked): object | undefined {
    const fields = new URLSearchParams(body)
    const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
    const [id, secret] = Buffer.from(basic, 'base64')
      .toString()
      .split(':')
      .map((it) => decodeURIComponent(it.replaceAll('+', ' ')))
    if (id !== CLIENT.id || secret !== CLIENT.secret) return undefined
    if (fields.get('grant_type') === 'refresh_token')
      return renewable.delete(fields.get('refresh_token') ?? '') ? give('read write') : undefined
    const code = fields.get('code') ?? ''
    const order = codes.get(code)
    const challenge = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url')
    const isFine =
      codes.delete(code) &&
      fields.get('redirect_uri') === order?.get('redirect_uri') &&
      challenge === order?.get('code_challenge')
    return isFine ? give(order?.get('scope') ?? '') : undefined
  }

  function answer(reply: ServerResponse, asked: Asked) {
    const path = asked.path.split('?')[0] as string
    const otherwise = state.answers[path]
    if (otherwise) return void otherwise(reply, asked)
    const token = (asked.headers.authorization ?? '').replace(/^Bearer /, '')
    if (path === '/token') {
      const given = exchange(asked)
      return void json(
        reply,
        given ? 200 : 400,
        given ?? { error: 'invalid_grant', error_description: asked.body }
      )
    }
    if (path === '/me')
      return void (valid.has(token)
        ? json(reply, 200, { sub: `id of ${state.account}`, email: state.account })
        : json(reply, 401, {}))
    if (path === '/revoke') {
      for (const gone of [...valid, ...renewable]) if (asked.body.includes(gone)) valid.delete(gone)
      return void json(reply, 200, {})
    }
    if (path === '/api')
      return void json(reply, valid.has(token) ? 200 : 401, { said: 'hello', path: asked.path })
    reply.writeHead(404).end()
  }

  const server = await service(t, answer)
  const at = (path: string) => server.asked.filter((it) => it.path.split('?')[0] === path)
  return {
    ...server,
    state,
    at,
    /** What it gives for a code or a refresh token, as long as that is good. */
    exchange,
    /** As it does when nothing else is said. */
    answer,
    /** A provider of the settings. */
    settings: (key = 'local', more: object = {}) => ({
      key,
      name: `Local ${key}`,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      authorizationUrl: `${server.url}/authorize`,
      tokenUrl: `${server.url}/token`,
      hosts: [server.host],
      scopes: [
        { name: 'read', description: 'Read what you can read', isDefault: true },
        { name: 'write', description: 'Change what you can change' }
      ],
      account: { url: `${server.url}/me`, label: ['/email'], id: ['/sub'] },
      revocation: { url: `${server.url}/revoke`, style: 'rfc7009' },
      ...more
    }),
    /** What a browser brings back once its user agreed. */
    agree(authorizationUrl: string): { state: string; code: string; order: URLSearchParams } {
      const order = new URL(authorizationUrl).searchParams
      const code = `code-${randomUUID()}`
      codes.set(code, order)
      return { state: order.get('state') ?? '', code, order }
    },
    /** No token counts any more; those that renew them do. */
    expire: () => valid.clear(),
    /** All that was given is over. */
    end() {
      valid.clear()
      renewable.clear()
    },
    isValid: (token: string) => valid.has(token)
  }
}
export type TestProvider = Awaited<ReturnType<typeof provider>>

export const stage = (
  t: Scope,
  providers: readonly object[],
  { env, ...options }: BootOptions = {},
  ...packs: readonly string[]
) =>
  boot(t, 'connections', ...packs, {
    ...options,
    env: { OUTGOING_ALLOW: '127.0.0.1', OAUTH_PROVIDERS: JSON.stringify(providers), ...env }
  })

type Back = Readonly<Record<string, string>>
export const comeBack = (client: Client, key: string, brought: Back, headers?: Record<string, string>) =>
  client.get(`/v1/oauth/callback/${key}?${new URLSearchParams(brought)}`, headers)

/** A connection that its owner agreed to. */
export async function connected(
  client: Client,
  at: TestProvider,
  { key = 'local', ...body }: { key?: string } & Record<string, unknown> = {}
): Promise<{ id: string; path: string }> {
  const { body: asked, text } = await client.post('/v1/oauth/connect', { providerKey: key, ...body })
  if (!asked?.data) throw new Error(`not asked: ${text}`)
  const { state, code } = at.agree(asked.data.authorizationUrl)
  const { status, text: said } = await comeBack(client, key, { state, code })
  if (status !== 200) throw new Error(`not connected: ${status} ${said}`)
  const id = asked.data.connectionId
  return { id, path: `/v1/oauth/connections/${id}` }
}

/** What other packs are given of a connection, without them. */
export function direct({ platform }: Booted) {
  type Deps = { opening: Opening; tokenService: TokenService }
  const deps = platform.server.current().packs.get('connections')?.deps as unknown as Deps
  const { opening, tokenService } = deps
  const by = (owner: string) => ({ project: 'default', owner })
  return {
    open: (id: string, owner = 'ada', wanted: { host?: string; scopes?: string[] } = {}): Promise<Opened> =>
      opening.open(by(owner), { id, scopes: [], ...wanted }),
    refused: (id: string, used: string, owner = 'ada') =>
      opening.refused(by(owner), { id, scopes: [] }, used),
    /** What the instance remembers of it is what is in the record from now on. */
    async forgotten(id: string) {
      tokenService.forget({ project: 'default', id })
      const { generation, expiresAt } = await platform.knex('connections.connection').where({ id }).first()
      for (;;) {
        const held = await tokenService.of({ project: 'default', id })
        if (held?.row.generation === generation && String(held?.row.expiresAt) === String(expiresAt)) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }
}

/** As if its token had that long to go. */
export const endsIn = async ({ platform }: Booted, id: string, seconds: number) => {
  await platform
    .knex('connections.connection')
    .where({ id })
    .update({ expiresAt: new Date(Date.now() + seconds * 1_000) })
}
