import type { CredentialNeed, CredentialSource } from '../../tools/contract.ts'
import type { Opening } from './opening.ts'
import { hostOf } from './opening.ts'
import type { ProviderService } from './providers.ts'

interface Deps {
  opening: Opening
  providerService: ProviderService
}

/** Connections as tools, tool servers and apps use them: like a key. */
export function createConnectionSource({ opening, providerService }: Deps): CredentialSource {
  const wanted = ({ to, ...need }: CredentialNeed) => ({ ...need, host: to && hostOf(to) })

  return {
    check: async (by, need) => void (await opening.check(by, wanted(need))),
    async open(by, need) {
      const { row, material } = await opening.open(by, wanted(need))
      return {
        value: material.accessToken,
        allowedHosts: providerService.find(row.providerKey).hosts,
        renew: async () =>
          (await opening.refused(by, wanted(need), material.accessToken))?.material.accessToken
      }
    }
  }
}
