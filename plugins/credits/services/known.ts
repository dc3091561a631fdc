import type { Kernel, Principal } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import { MOST, parseAmount } from '../amounts.ts'
import type { AccountKind } from '../rows.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import type { PriceStore } from '../stores/prices.ts'

export type Known = ReturnType<typeof createKnown>

/** Of the accounts that are the platform's own. */
const PLATFORM = 'platform'
/** A signal may be lost. */
const BELIEVE_MS = 10_000

interface Deps extends Pick<Kernel, 'remembered'> {
  accountStore: AccountStore
  priceStore: PriceStore
  capStore: CapStore
}

type Spending = Pick<Principal, 'id' | 'type' | 'project' | 'owner' | 'attenuation'>

/** Whatever an owner is called, it comes last. */
const textOf = (...key: readonly string[]): string => key.join('\n')
function keyOf(text: string, parts: number): string[] {
  const all = text.split('\n')
  return [...all.slice(0, parts - 1), all.slice(parts - 1).join('\n')]
}

/** What is asked for at each run, from memory. */
export function createKnown({ remembered, accountStore, priceStore, capStore }: Deps) {
  // Never signalled: an account keeps its id.
  const accounts = remembered('credits.account', (text) => {
    const [project, kind, owner] = keyOf(text, 3) as [string, AccountKind, string]
    return accountStore.takeId(project, owner, kind)
  })
  const prices = remembered('credits.prices', (project) => priceStore.list(project), BELIEVE_MS)
  const caps = remembered(
    'credits.caps',
    (text) => {
      const [project, owner] = keyOf(text, 2) as [string, string]
      return capStore.listOfOwner(project, owner)
    },
    BELIEVE_MS
  )

  // As what is said of them is digested in their name, they stay as they are.
  const ofTokens = new LRUCache<string, string>({ max: 10_000 })

  /** The ids of the caps of a token that limits what is spent. */
  async function tokenCaps({ project, attenuation, ...by }: Spending): Promise<readonly string[]> {
    const owner = by.type === 'agent' ? by.owner : by.id
    const ids: string[] = []
    for (const { id: token, limit: text, endsAt } of attenuation?.spend ?? []) {
      const key = textOf(project, token)
      const limit = parseAmount(text) ?? MOST
      const expiresAt = endsAt === undefined ? null : new Date(endsAt)
      const id =
        ofTokens.get(key) ?? (await capStore.takeOfToken({ project, owner, token, limit, expiresAt }))
      ofTokens.set(key, id)
      ids.push(id)
    }
    return ids
  }

  return {
    tokenCaps,
    /** The id of a person's account, which is opened at its first use. */
    account: (project: string, owner: string) => accounts.of(textOf(project, 'person', owner)),
    /** Of an account of the platform. */
    ownAccount: (project: string, kind: Exclude<AccountKind, 'person'>) =>
      accounts.of(textOf(project, kind, PLATFORM)),
    /** All versions, the latest first. */
    prices: (project: string) => prices.of(project),
    caps: (project: string, owner: string) => caps.of(textOf(project, owner)),

    /** After the commit. */
    pricesChanged: (project: string) => prices.changed(project),
    /** After the commit. */
    capsChanged: (project: string, owner: string) => caps.changed(textOf(project, owner)),

    stop(): void {
      for (const one of [accounts, prices, caps]) one[Symbol.dispose]()
    }
  }
}
