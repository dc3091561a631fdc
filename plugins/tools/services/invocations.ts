import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal } from 'agent-platform'
import { forbidden, invalid, newId, notFound, unavailable } from 'agent-platform'
import type { Call, Invocation, Offered, Outcome, Output, PlacedKey, Question } from '../contract.ts'
import type { Access } from '../rows.ts'
import type { ToolSettings } from '../settings.ts'
import type { CallStore } from '../stores/calls.ts'
import type { AccessService } from './access.ts'
import type { Arguments } from './arguments.ts'
import type { Callable, Catalogue } from './catalogue.ts'
import type { KeyService } from './keys.ts'
import { startLimit } from './limit.ts'
import { fit } from './outputs.ts'

export type Invocations = ReturnType<typeof createInvocations>

/** Further tries of an idempotent tool whose service failed. */
const RETRIES = 2
const PAUSE_MS = 200

interface Deps extends Pick<Kernel, 'points' | 'log'> {
  settings: ToolSettings
  access: AccessService
  arguments: Arguments
  catalogue: Catalogue
  keyService: KeyService
  callStore: CallStore
}

/** The one way in which tools are called: permission, policy, gate, call, record. */
export function createInvocations(deps: Deps) {
  const { points, log, settings, catalogue, keyService, callStore, arguments: checks } = deps

  async function offer(by: Principal, agentId: string): Promise<readonly Offered[]> {
    const offered: Offered[] = []
    for (const access of await deps.access.list(by, agentId)) {
      const { assignment, tool } = access
      const callable = isAllowed(access) && !tool?.unavailable ? catalogue.find(access) : undefined
      if (!callable || assignment.policy === 'deny') continue
      const { id, name, description, parameters, idempotent, stamp } = callable
      offered.push({ id, name, description, parameters, idempotent, policy: assignment.policy, stamp })
    }
    return offered
  }

  async function invoke(invocation: Invocation): Promise<Outcome> {
    const { by, agentId, toolName, args = {}, run, depth = 0 } = invocation
    const access = await deps.access.find(by, agentId, toolName)
    const callable = callableOf(access, toolName)
    const approved = invocation.approved === callable.stamp
    if (access?.assignment.policy === 'ask' && !approved)
      throw forbidden(`${callable.name} needs approval`, { param: '/toolName', code: 'approval_required' })
    const fault = checks.check({ ...callable, id: callable.stamp }, args)
    if (fault !== undefined) throw invalid('/args', fault)
    const call = {
      id: invocation.callId ?? newId('call'),
      by,
      agentId,
      ...(run && { run }),
      args: args as Call['args'],
      depth
    }
    for (const { value } of points.all('tools.gate')) await value.admit({ ...call, toolName: callable.name })
    const keys = callable.hasKeys ? await keyService.placed(by.project, callable.id) : []
    await begin(call, callable, access as Access, keys, approved)
    const begun = performance.now()
    const made = await attempt(callable, call, keys, invocation)
    return end(call, callable, access as Access, made, Math.round(performance.now() - begun))
  }

  /** Asked anew at each call, so that what was revoked is refused from then on. */
  function callableOf(access: Access | undefined, toolName: string): Callable {
    if (!access?.assignment.enabled) throw notFound('Tool', { param: '/toolName', code: 'tool_not_assigned' })
    if (access.assignment.policy === 'deny' || !isAllowed(access))
      throw forbidden(`${toolName} may not be called`, { param: '/toolName', code: 'tool_denied' })
    if (access.tool?.unavailable) throw unavailable(access.tool.unavailable, { code: 'tool_unavailable' })
    const callable = catalogue.find(access)
    if (!callable) throw unavailable(`What serves ${toolName} is off`, { code: 'tool_unavailable' })
    return callable
  }

  async function begin(
    { id, by, agentId, run }: Pick<Call, 'id' | 'by' | 'agentId' | 'run'>,
    callable: Callable,
    { assignment, principal, agent }: Access,
    keys: readonly PlacedKey[],
    approved: boolean
  ): Promise<void> {
    await callStore.insert({
      project: by.project,
      id,
      owner: ownerOf(by, assignment),
      agentId,
      runId: run?.id ?? null,
      toolId: callable.id,
      toolName: callable.name,
      kind: callable.kind,
      actor: { id: by.initiator ?? by.id, type: by.type },
      grants: { principal, agent },
      keyIds: keys.map(({ keyId }) => keyId),
      approved
    })
  }

  /** Never rejects: whatever goes wrong is told as an output, and nothing of what was not meant to be told. */
  async function attempt(
    callable: Callable,
    call: Omit<Call, 'signal' | 'progress' | 'ask'>,
    keys: readonly PlacedKey[],
    { signal, progress = () => undefined, ask = async () => ({ action: 'decline' as const }) }: Invocation
  ): Promise<Output> {
    const seconds = callable.timeoutSeconds ?? settings.toolSeconds
    using limit = startLimit(seconds * 1_000)
    const over = AbortSignal.any(signal ? [signal, limit.signal] : [limit.signal])
    for (let tries = 0; ; tries++)
      try {
        over.throwIfAborted()
        const patiently = (question: Question) => limit.pause(() => ask(question))
        const made = callable.call({ ...call, signal: over, progress, ask: patiently }, keys)
        // What promised an output may give none.
        return (await Promise.race([made, rejection(over)])) ?? { output: null }
      } catch (error) {
        if (limit.signal.aborted) return failed(`${callable.name} took more than ${seconds} s`)
        if (signal?.aborted) return failed(`The call of ${callable.name} was given up`)
        // Anything can be thrown.
        const { kind, message } = Object(error) as { kind?: string; message: string }
        const isUpstream = kind === 'upstream' || kind === 'upstreamTimeout'
        if (isUpstream && callable.idempotent && tries < RETRIES) {
          await delay(PAUSE_MS * 2 ** tries, undefined, { signal: over }).catch(() => undefined)
          continue
        }
        if (kind !== undefined) return failed(message)
        // Its message may hold what its service said, or was told.
        const { name, code, stack } = Object(error) as { name?: string; code?: unknown; stack?: string }
        const at = stack?.split('\n').filter((text) => /^\s+at /.test(text))
        log.warn({ call: call.id, tool: callable.name, error: { name, code, at } }, 'a tool failed')
        return failed(`${callable.name} failed`)
      }
  }

  async function end(
    { id, by, agentId, run }: Pick<Call, 'id' | 'by' | 'agentId' | 'run'>,
    { id: toolId, name: toolName, kind }: Callable,
    { assignment }: Access,
    { output, isError = false }: Output,
    milliseconds: number
  ): Promise<Outcome> {
    const { project } = by
    const owner = ownerOf(by, assignment)
    const { given, size, kept } = fit(output, settings)
    const status = isError ? 'failed' : 'succeeded'
    const data = {
      callId: id,
      toolId,
      toolName,
      kind,
      agentId,
      runId: run?.id ?? null,
      isError,
      milliseconds,
      size
    }
    await callStore.settle(
      { project, id, status, size, milliseconds, output: kept },
      { name: 'tools.called', by, subject: agentId, owner, data }
    )
    return { callId: id, output: given, isError }
  }

  return { offer, invoke }
}

/** What a service calls for somebody is his, as his runs are: others whom the service serves see nothing of it. */
const ownerOf = ({ initiator }: Principal, assignment: Access['assignment']): string =>
  initiator ?? assignment.owner

const isAllowed = ({ assignment, principal, agent }: Access): boolean =>
  assignment.enabled && assignment.policy !== 'deny' && principal !== null && agent !== null

const failed = (output: string): Output => ({ output, isError: true })

function rejection(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  if (signal.aborted) reject(signal.reason)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}
