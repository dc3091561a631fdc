import type { Api } from './api.ts'

/** What the platform asks of the API, as rules of a role have it: see `deploy/kubernetes-computers`. */
export const rules = [
  { group: '', resource: 'pods', verbs: ['get', 'list', 'create', 'delete'] },
  { group: '', resource: 'pods/exec', verbs: ['get', 'create'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'create', 'patch', 'delete'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['list', 'create', 'delete'] }
] as const

/** Of these, those that the platform may not in that namespace. */
export async function missingAccess(api: Api, namespace: string): Promise<string[]> {
  const asked = rules.flatMap(({ group, resource: of, verbs }) =>
    verbs.map(async (verb) => {
      const [resource, subresource] = of.split('/')
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: { namespace, group, resource, verb, ...(subresource && { subresource }) }
        }
      }
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      const { status } = await api.ask<{ status?: { allowed?: boolean } }>('POST', path, { body })
      return status?.allowed === true ? undefined : `${verb} ${of}`
    })
  )
  return (await Promise.all(asked)).filter((it) => it !== undefined)
}
