import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, invalid, mayCall, newId, notFound, unavailable } from 'agent-platform'
import type { CallOrder, Invocation, Offered, Outcome } from '../contract.ts'
import { createRedactor } from '../redaction/redactor.ts'
import type { AssignedTool } from '../rows.ts'
import type { ToolSettings } from '../settings.ts'
import { faultOfArguments } from './arguments.ts'
import type { Attempts } from './attempts.ts'
import type { Authorization } from './authorization.ts'
import type { CallRecords } from './call-records.ts'
import type { KeyService } from './keys.ts'
import { fit } from './outputs.ts'
import type { Callable, ToolResolver } from './tool-resolver.ts'

export type Invocations = ReturnType<typeof createInvocations>

interface Deps extends Pick<Kernel, 'points'> {
  settings: ToolSettings
  authorization: Authorization
  toolResolver: ToolResolver
  keyService: KeyService
  callRecords: CallRecords
  attempts: Attempts
}

/** The one way in which tools are called: permission, policy, gate, call, record. */
export function createInvocations(deps: Deps) {
  const { points, settings, toolResolver, keyService, callRecords, attempts } = deps

  async function offer(by: Principal, agentId: string): Promise<readonly Offered[]> {
    const offered: Offered[] = []
    for (const access of await deps.authorization.list(by, agentId)) {
      const { assignment, tool } = access
      const callable = isAllowed(access) && !tool?.unavailable ? toolResolver.find(access) : undefined
      if (!callable || callable.unavailable !== null || assignment.policy === 'deny') continue
      if (!mayCall(by, callable)) continue
      const { id, name, description, parameters, idempotent, stamp, tokens } = callable
      const { policy } = assignment
      offered.push({
        id,
        name,
        description,
        parameters,
        idempotent,
        policy,
        stamp,
        ...(tokens && { tokens })
      })
    }
    return offered
  }

  async function invoke(invocation: Invocation): Promise<Outcome> {
    const {
      by,
      agentId,
      toolName,
      args = {},
      run,
      depth = 0,
      untrusted = true,
      isForModel = false
    } = invocation
    const access = await deps.authorization.find(by, agentId, toolName)
    const callable = callableOf(access, toolName)
    if (!mayCall(by, callable))
      throw forbidden(`The token does not let ${callable.name} be called`, {
        param: '/toolName',
        code: 'token_refused'
      })
    if (by.attenuation?.spend && !run)
      throw forbidden('A token with a spend limit can call tools only within a run', {
        code: 'token_refused'
      })
    const approved = invocation.approved === callable.stamp
    if (access?.assignment.policy === 'ask' && !approved)
      throw forbidden(`${callable.name} needs approval`, { param: '/toolName', code: 'approval_required' })
    const fault = await faultOfArguments(by, callable, args)
    if (fault) throw invalid(`/args${fault.at}`, fault.text)
    const call: CallOrder = {
      id: invocation.callId ?? newId('call'),
      by,
      agentId,
      ...(run && { run }),
      args: args as CallOrder['args'],
      depth,
      untrusted
    }
    for (const { value } of points.all('tools.gate')) await value.admit({ ...call, toolName: callable.name })
    const keys = callable.hasKeys ? await keyService.listInjected(by.project, callable.id) : []
    const circumstances = { callable, access: access as AssignedTool, keys, approved }
    const record = await callRecords.begin(call, circumstances)
    const redactor = createRedactor(keys.map(({ value }) => value))
    const order = { ...call, used: record.used }
    const made = await attempts.attempt(callable, order, keys, redactor, invocation)
    const { output, isError = false, isUnknown = false } = made
    const fitted = await fit(output, redactor, settings, isForModel)
    const { given, isTooLarge } = fitted
    await record.end(isUnknown ? 'unknown' : isError ? 'failed' : 'succeeded', fitted)
    return {
      callId: call.id,
      output: given,
      isError: isError || isTooLarge,
      ...(isUnknown && { isUnknown }),
      ...(isTooLarge && { isTooLarge })
    }
  }

  /** Asked anew at each call, so that what was revoked is refused from then on. */
  function callableOf(access: AssignedTool | undefined, toolName: string): Callable {
    if (!access?.assignment.enabled) throw notFound('Tool', { param: '/toolName', code: 'tool_not_assigned' })
    if (access.assignment.policy === 'deny' || !isAllowed(access))
      throw forbidden(`${toolName} may not be called`, { param: '/toolName', code: 'tool_denied' })
    // It may be so for good: nothing that is to be tried again as it is.
    if (access.tool?.unavailable) throw conflict(access.tool.unavailable, { code: 'tool_unavailable' })
    const callable = toolResolver.find(access)
    if (!callable) throw unavailable(`What serves ${toolName} is off`, { code: 'tool_off' })
    if (callable.unavailable !== null) throw unavailable(callable.unavailable, { code: 'tool_unavailable' })
    return callable
  }

  return { offer, invoke }
}

const isAllowed = ({ assignment, principal, agent }: AssignedTool): boolean =>
  assignment.enabled && assignment.policy !== 'deny' && principal !== null && agent !== null
