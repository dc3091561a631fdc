import type { Kernel, Principal } from 'agent-platform'
import { forbidden, mayReach, upstreamFailed } from 'agent-platform'
import type { RequestInit } from 'undici'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Call, InjectedKey, KindTool, Output, ToolKind } from '../contract.ts'
import { inject } from '../credential-injection.ts'
import { hostOf, isWithin } from '../hosts.ts'
import type { HttpConfig } from '../http/config.ts'
import { checkConfig } from '../http/config.ts'
import { contentOf, excerptOf, outputOf } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { requestOf } from '../http/request.ts'
import type { ToolSettings } from '../settings.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  outgoing: Outgoing
  settings: ToolSettings
}

/** Says that the service is away for now, and not what it thinks of the request. */
const AWAY = new Set([502, 503, 504])

/** Undefined where none of them was renewed; what was is not renewed again. */
async function renew(keys: readonly InjectedKey[], call: Call): Promise<readonly InjectedKey[] | undefined> {
  const all = await Promise.all(
    keys.map(async ({ renew, ...key }) => ({ ...key, value: (await renew?.()) ?? key.value }))
  )
  const changed = all.filter(({ value }, index) => value !== keys[index]?.value)
  for (const { value } of changed) call.secret(value)
  return changed.length > 0 ? all : undefined
}

const failed = (text: string): Output => ({ output: text, isError: true })

/** Tools that are a request to an HTTP service, with arguments in their places. */
export function createHttpKind({ outgoing, settings, platform }: Deps): ToolKind {
  /** Refused before anything is sent: a key goes to the hosts that it names, and to no other. */
  function injectKeys(request: Request, keys: readonly InjectedKey[]): string | undefined {
    for (const key of keys) {
      if (!key.allowedHosts.some((it) => isWithin(hostOf(request.url), it)))
        throw forbidden(`The key ${key.keyId} may not be sent to ${hostOf(request.url)}`, {
          code: 'host_not_allowed'
        })
      if (!inject(request, key)) return `The request has no body in which the key ${key.keyId} could stand`
    }
    return undefined
  }

  async function send(request: Request, call: Call, init: RequestInit, seconds: number) {
    try {
      return await outgoing.fetch(request.url, {
        ...init,
        signal: call.signal,
        timeoutMs: seconds * 1_000,
        may: (url) => mayReach(call.by, url)
      })
    } catch (error) {
      // What is no failure may tell a part of the request.
      if (call.signal.aborted || Object.hasOwn(error as object, 'kind')) throw error
      throw upstreamFailed(`${hostOf(request.url)} could not be asked`)
    }
  }

  async function callWith(tool: KindTool, call: Call, keys: readonly InjectedKey[]): Promise<Output> {
    const config = tool.config as HttpConfig
    const request = requestOf(config, call.args)
    if (typeof request === 'string') return failed(request)
    const { method, headers } = request
    const fault = injectKeys(request, keys)
    if (fault) return failed(fault)
    const body = request.body()
    if (!headers.has('user-agent')) headers.set('user-agent', `agent-platform/${platform.version}`)
    if (tool.idempotent && !/^(?:GET|HEAD)$/.test(method)) headers.set('idempotency-key', call.id)
    const seconds = Math.min(config.timeoutSeconds ?? settings.toolSeconds, settings.toolSeconds)
    const order: RequestInit = {
      method,
      headers: [...headers],
      redirect: keys.length > 0 ? 'error' : 'follow',
      ...(body !== undefined && { body })
    }
    const reply = await send(request, call, order, seconds)
    // Nothing was done: once more with what has been renewed, if anything was.
    const renewed = reply.status === 401 ? await renew(keys, call) : undefined
    if (renewed) {
      await reply.body?.cancel()
      return callWith(tool, call, renewed)
    }
    if (tool.idempotent && AWAY.has(reply.status)) {
      const said = JSON.stringify(excerptOf(await call.redact(await contentOf(reply))))
      throw upstreamFailed(`${hostOf(request.url)} answered ${reply.status}: ${said}`)
    }
    return outputOf(reply, call, config.response?.pointer)
  }

  return {
    tokens: 'hosts',
    check: async (_by: Principal, { config, parameters }) => checkConfig(config, parameters, outgoing),
    call: callWith
  }
}
