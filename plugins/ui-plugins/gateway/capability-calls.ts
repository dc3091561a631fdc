import type { Principal, SchemaCheck } from 'agent-platform'
import { compileSchema, forbidden, invalid, notFound, unavailable } from 'agent-platform'
import type { CapabilityGrant } from 'agent-platform-app/grants'
import { permits } from 'agent-platform-app/grants'
import type { Installation } from '../contract.ts'
import type { Catalogue, NamedCapability } from '../services/catalogue.ts'
import type { Asking } from './asking.ts'
import { placed } from './places.ts'
import { shaped } from './results.ts'

export type CapabilityCalls = ReturnType<typeof createCapabilityCalls>

/** Calls of capabilities, within what was granted. */
export function createCapabilityCalls({ catalogue }: { catalogue: Catalogue }) {
  /** By the schema, which packs write, and which stays the same object as long as the pack does. */
  const checks = new WeakMap<object, SchemaCheck>()

  function check({ params: schema }: NamedCapability, params: unknown): void {
    let check = checks.get(schema)
    if (!check) {
      check = compileSchema(schema)
      checks.set(schema, check)
    }
    const fault = check(params)
    if (fault) throw invalid(`/params${fault.at}`, `/params${fault.at} ${fault.text}`)
  }

  async function call(app: Installation, { by, signal, depth, runId }: Asking, name: string, asked: unknown) {
    const { id: appId, pluginId, grants, manifest } = app
    const capability = catalogue.find(name)
    if (!capability && !manifest.capabilities.some((it) => it.name === name))
      throw notFound(`Method ${name.slice(0, 100)}`, { param: '/method' })
    const params = asked ?? {}
    const permit = permits(grants, capability ?? { name }, params)
    if (!permit.permitted) throw forbidden(permit.message, { code: permit.code })
    if (!capability) throw unavailable(`Nothing offers ${name} now`, { code: 'capability_missing' })
    checkScope(by, capability)
    check(capability, params)
    const { grant } = permit
    const within = (id: string | null) => checkWithin(capability, grant, id)
    const context = { appId, pluginId, grant, signal, depth, within, ...(runId !== undefined && { runId }) }
    const given = (await placed(capability.call(by, params, context))) ?? null
    return capability.result ? shaped(capability.result, given) : given
  }

  return { call }
}

/** As `permits` says it of parameters. */
function checkWithin({ name, narrows }: NamedCapability, grant: CapabilityGrant, id: string | null): void {
  const named = narrows && grant[narrows.to]
  if (!named || (id !== null && named.includes(id))) return
  throw forbidden(`${name} was granted for certain ${narrows?.to} only`, { code: 'narrowed' })
}

/**
 * As routes are: a scope that is named is asked of every credential. Without one a credential that was narrowed needs the pair of the
 * area, so that no app does for it what it may not do itself.
 */
function checkScope({ scopes, narrowed }: Principal, { name, scope, idempotent }: NamedCapability): void {
  if (!scope && !narrowed) return
  const area = name.slice(0, name.indexOf('.'))
  const any = scope ?? (idempotent ? [`${area}:read`, `${area}:write`] : [`${area}:write`])
  if (any.length === 0 || any.some((it) => scopes.has(it))) return
  throw forbidden(`The credential lacks the scope ${any.join(' or ')}`, { code: 'scope_missing' })
}
