import type { Problem } from '../manifest/check.ts'
import { hostProblem, isHostWithin } from '../manifest/hosts.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { Grants } from './schema.ts'

type Asked = Pick<Manifest, 'capabilities' | 'egress'>

/** What of these grants the manifest does not ask for. */
export function checkGrants({ capabilities, egress }: Asked, grants: Grants): readonly Problem[] {
  const names = grants.capabilities.map(({ name }) => name)
  return [
    ...names.flatMap((name, at) => {
      const pointer = `/capabilities/${at}/name`
      if (names.indexOf(name) < at) return [{ pointer, message: `is ${name}, which is there already` }]
      return capabilities.some((it) => it.name === name)
        ? []
        : [{ pointer, message: `is ${name}, which the app does not ask for` }]
    }),
    ...grants.hosts.flatMap((host, at) => {
      const fault = hostProblem(host)
      if (fault !== undefined) return [{ pointer: `/hosts/${at}`, message: fault }]
      return egress.some((outer) => isHostWithin(host, outer.host))
        ? []
        : [{ pointer: `/hosts/${at}`, message: `is ${host}, which the app does not ask for` }]
    })
  ]
}

/** Whether the manifest asks for all that these grants give. */
export const isWithin = (manifest: Asked, grants: Grants): boolean =>
  checkGrants(manifest, grants).length === 0

/** What of these grants a manifest still asks for, such as that of another version. */
export const grantsWithin = ({ capabilities, egress }: Asked, grants: Grants): Grants => ({
  capabilities: grants.capabilities.filter(({ name }) => capabilities.some((it) => it.name === name)),
  hosts: grants.hosts.filter((host) => egress.some((outer) => isHostWithin(host, outer.host)))
})

/** All that a manifest asks for, narrowed to nothing. */
export const grantsOf = ({ capabilities, egress }: Asked): Grants => ({
  capabilities: capabilities.map(({ name }) => ({ name })),
  hosts: egress.map(({ host }) => host)
})

/** Whether whatever the one permits is permitted by the other as well. */
export const isNoMore = (grants: Grants, than: Grants): boolean =>
  grants.capabilities.every((grant) => {
    const other = than.capabilities.find(({ name }) => name === grant.name)
    return other && isSubset(grant.agents, other.agents) && isSubset(grant.spaces, other.spaces)
  }) && grants.hosts.every((host) => than.hosts.some((outer) => isHostWithin(host, outer)))

/** Left out stands for all. */
const isSubset = (ids: readonly string[] | undefined, of: readonly string[] | undefined) =>
  of === undefined || (ids?.every((id) => of.includes(id)) ?? false)
