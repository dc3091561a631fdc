import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Wallet = Schemas['Wallet']
export type Policy = Schemas['WalletPolicy']
export type Transfer = Schemas['WalletTransfer']

/** All queries of wallets: by this all of them are read anew. */
export const ALL = ['wallets'] as const

export const walletQuery = (walletId: string) =>
  queryOptions({
    queryKey: ['wallets', walletId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/wallets/{walletId}', { params: { path: { walletId } }, signal })).data
  })

/** Asks the chain. */
export const balanceQuery = (walletId: string) =>
  queryOptions({
    queryKey: ['wallets', walletId, 'balance'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/wallets/{walletId}/balance', { params: { path: { walletId } }, signal })).data,
    refetchInterval: 15_000,
    retry: false
  })

export const change = (walletId: string, body: Schemas['WalletChanges']) =>
  api.patch('/v1/wallets/{walletId}', { params: { path: { walletId } }, body })
