import { isDeepStrictEqual } from 'node:util'
import type { Api } from './api.ts'
import { statusOf } from './api.ts'
import type { Policy, Selector } from './objects.ts'
import { INSTALLATION, isOurs } from './objects.ts'

const LOOK_MS = 5_000
const SHUT = { policyTypes: ['Ingress', 'Egress'] }

/** The policy by which pods of an installation reach nothing, and nothing them. */
export function createNetwork(api: Api, namespace: string) {
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`

  async function remove({ metadata }: Policy): Promise<void> {
    const body = { preconditions: { uid: metadata?.uid } }
    await api.ask('DELETE', `${path}/${metadata?.name}`, { body }).catch((error) => {
      if (![404, 409].includes(statusOf(error) ?? -1)) throw error
    })
  }

  return {
    /**
     * Sees to it that the policy is there. Whether it had to be made, and whether the namespace has another one by which a pod would
     * reach something all the same: the rules of all are added up.
     */
    async shut(own: string): Promise<{ made: boolean; open: string | undefined }> {
      const name = `computers-${own.slice(0, 12)}`
      const podSelector = { matchLabels: { [INSTALLATION]: own } }
      const { items } = await api.ask<{ items?: unknown }>('GET', path, {
        query: { limit: '500' },
        ms: LOOK_MS
      })
      const policies = (Array.isArray(items) ? items : []) as Policy[]
      const found = policies.find(({ metadata }) => metadata?.name === name)
      const opens = ({ spec = {} }: Policy) =>
        (spec.egress?.length || spec.ingress?.length) && selects(spec.podSelector, own)
      const open = policies.find((it) => it !== found && opens(it))?.metadata?.name
      const { ingress = [], egress = [], ...rest } = found?.spec ?? {}
      const isShut =
        isDeepStrictEqual(rest, { podSelector, ...SHUT }) && ingress.length === 0 && egress.length === 0
      if (found && isShut) return { made: false, open }
      if (found && !isOurs(found.metadata, own)) throw new Error(`the network policy ${name} is another's`)
      if (found) await remove(found)
      const metadata = { name, labels: podSelector.matchLabels }
      const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }
      await api
        .ask('POST', path, { body: { ...kind, metadata, spec: { podSelector, ...SHUT } } })
        .catch((error) => {
          // Another instance made it just now.
          if (statusOf(error) !== 409) throw error
        })
      return { made: true, open }
    }
  }
}

/** Whether it may select a pod of that installation: one that selects by a computer selects some. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector = {}, own: string): boolean {
  const known: Readonly<Record<string, string | undefined>> = {
    [INSTALLATION]: own,
    'sidecar.istio.io/inject': 'false'
  }
  const may = (key: string, check: (value: string | undefined) => boolean) =>
    key === 'agent-platform/computer' || check(known[key])
  return (
    Object.entries(matchLabels).every(([key, value]) => may(key, (it) => it === value)) &&
    matchExpressions.every(({ key, operator, values = [] }) =>
      may(key, (it) => {
        if (operator === 'In') return it !== undefined && values.includes(it)
        if (operator === 'NotIn') return it === undefined || !values.includes(it)
        return operator === 'Exists' ? it !== undefined : it === undefined
      })
    )
  )
}
