import { decimalOf } from '../amounts.ts'
import type { Network } from '../networks/network.ts'
import type { TransferRow } from '../rows.ts'
import type { Transfer } from '../schemas/transfers.ts'

/** As it is shown; without a link where its network is not configured any more. */
export function shownTransfer(row: TransferRow, network: Network | undefined): Transfer {
  const { id, owner, agentId, walletId, kind, asset, symbol, units, decimals, to, host } = row
  const { status, hash, failure, approved, runId, createdAt, endedAt } = row
  return {
    ...{ id, owner, agentId, walletId, kind, asset, symbol, to, host, network: row.network },
    ...{ amount: decimalOf(units, decimals), minorUnits: String(units) },
    ...{ status, hash, failure, approved, runId, createdAt, endedAt },
    explorerUrl: hash !== null && network?.explorer ? `${network.explorer}/tx/${hash}` : null
  }
}
