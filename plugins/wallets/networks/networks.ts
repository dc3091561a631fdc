import { invalid, unavailable } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { WalletSettings } from '../settings.ts'
import type { Chain } from './chain.ts'
import { createChain } from './chain.ts'
import type { Network } from './network.ts'
import { readNetworks } from './network.ts'
import { createRpc } from './rpc.ts'

export type Networks = ReturnType<typeof createNetworks>

/** The chains that the deployment’s settings name. */
export function createNetworks({ settings, outgoing }: { settings: WalletSettings; outgoing: Outgoing }) {
  const chains = new Map<string, Chain>()
  for (const network of readNetworks(settings.networks))
    chains.set(network.id, createChain(network, createRpc(network, outgoing, settings.rpcSeconds)))

  const configured = (): void => {
    if (chains.size === 0)
      throw unavailable('No network is configured: set WALLET_NETWORKS, as the README of wallets says', {
        code: 'networks_not_configured'
      })
  }

  return {
    find: (id: string): Network | undefined => chains.get(id)?.network,
    list: (): readonly Chain[] => [...chains.values()],

    /** That one, else the default; 503 where none is configured, 400 at `/network` for one that is not. */
    choose(id: string | undefined): Chain {
      configured()
      const [first] = chains.values()
      const chosen = id === undefined ? first : chains.get(id)
      if (chosen) return chosen
      throw invalid('/network', `/network must be one of ${[...chains.keys()].join(', ')}`)
    },

    /** Of what is there already: 503 where its network is not configured any more. */
    of({ network, chainId }: { readonly network: string; readonly chainId: number }): Chain {
      configured()
      const chain = chains.get(network)
      if (chain?.network.chainId === chainId) return chain
      throw unavailable(
        `The network ${network} (chain ${chainId}) is not configured: name it in WALLET_NETWORKS`,
        {
          code: 'network_not_configured'
        }
      )
    }
  }
}
