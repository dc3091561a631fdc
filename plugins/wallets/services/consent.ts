import type { Network } from '../networks/network.ts'
import type { WalletRow } from '../rows.ts'
import type { Payment } from '../signing/policy.ts'
import type { Signing } from '../signing/signing.ts'

export type Consent = ReturnType<typeof createConsent>

/** What a person is asked about, in words and as it is agreed to. */
export interface Asked {
  readonly amount: string
  readonly symbol: string
  readonly network: string
  readonly to: string
  /** Of x402. */
  readonly host: string | null
}

/** Asks a person who is there whether that may be paid. */
export type AskPerson = (asked: Asked) => Promise<boolean>

/** A payment as the policy allows it, ahead of anything that costs time; it is checked again where it is signed. */
export function createConsent({ signing }: { signing: Signing }) {
  /** Rejects as the policy refuses. A person is asked where it wants one, and one can be. */
  return async function consent<P extends Payment>(
    wallet: WalletRow,
    network: Network,
    payment: P,
    asked: Pick<Asked, 'amount' | 'symbol'>,
    askPerson: AskPerson | undefined
  ): Promise<P> {
    try {
      await signing.check(undefined, wallet, network, payment)
      return payment
    } catch (error) {
      const { code } = Object(error) as { code?: unknown }
      if (code !== 'approval_required' || !askPerson) throw error
      const { to, url } = payment
      if (!(await askPerson({ ...asked, network: network.id, to, host: url?.host ?? null }))) throw error
      return { ...payment, approved: true }
    }
  }
}
