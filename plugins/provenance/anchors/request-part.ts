import { invalid, unavailable } from 'agent-platform'
import type { RequestPart } from '../../runs/contract.ts'
import type { Wallets } from '../../wallets/contract.ts'
import type { Mode } from '../recording/items.ts'
import type { ProvenanceSettings } from '../settings.ts'

interface Deps {
  settings: ProvenanceSettings
  wallets: Wallets | undefined
}
const param = '/provenance/onchain'

/** `mode: full` is served, and `onchain: true` where there is a chain to write to: what cannot be kept is refused before the run. */
export const createRequestPart = ({ settings, wallets }: Deps): RequestPart => ({
  async accept(_run, value) {
    const { mode = settings.defaultMode, onchain } = value as { mode?: Mode; onchain?: boolean }
    if (!onchain) return undefined
    if (mode === 'off') throw invalid(param, 'Of a run whose provenance is off there is nothing to anchor')
    if (!wallets)
      throw unavailable('Anchoring needs the pack wallets, which is not installed or off', {
        code: 'capability_missing',
        param
      })
    await wallets.checkAnchor()
    return undefined
  }
})
