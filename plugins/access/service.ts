import type { Kernel, Principal } from 'agent-platform'
import type {} from './contract.ts'
import type { NewApiKey } from './schemas.ts'

export type KeyService = ReturnType<typeof createKeyService>

/** Keys of the caller's own principal: what happens to them is a fact. */
export function createKeyService({
  credentials,
  facts,
  points
}: Pick<Kernel, 'credentials' | 'facts' | 'points'>) {
  async function create(by: Principal, input: NewApiKey) {
    for (const { value } of points.all('access.key_guard')) await value.check(by)
    return credentials.issue(by, input, (trx, { id, name, prefix, scopes }) => {
      const data = { id, name, prefix, scopes: [...scopes] }
      return facts.record(trx, 'access.key_created', by, { subject: id, owner: by.owner, data })
    })
  }

  const revoke = (by: Principal, id: string) =>
    credentials.revokeKey(by, id, (trx, ids) => {
      const data = { ids: [...ids] }
      return facts.record(trx, 'access.key_revoked', by, { subject: id, owner: by.owner, data })
    })

  return { create, revoke }
}
