import type { StorageParameters } from './capabilities.ts'

export interface StoredValue {
  readonly key: string
  readonly value: unknown
  /** Counts changes; what `ifVersion` compares. */
  readonly version: number
  readonly updatedAt: string
}

/** A document has these fields beside its own. */
export interface StoredDocument {
  readonly id: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly [field: string]: unknown
}

interface Listed<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

interface Results {
  readonly get: StoredValue | null
  readonly set: Pick<StoredValue, 'key' | 'version' | 'updatedAt'>
  readonly delete: { readonly removed: boolean }
  readonly list: Listed<StoredValue>
  readonly insert: StoredDocument
  readonly find: Listed<StoredDocument>
  readonly findOne: StoredDocument | null
  readonly update: StoredDocument
  readonly remove: { readonly removed: boolean }
  readonly count: { readonly count: number }
}

type Name = keyof Results & keyof StorageParameters

/** The methods of `storage`, by name: their parameters and what they give. */
export type StorageMethods = {
  readonly [N in Name]: { readonly params: StorageParameters[N]; readonly result: Results[N] }
}

/** The data of the app: values by key, and documents of the collections that its manifest names. */
export type Storage = {
  readonly [N in Name]: Record<never, never> extends StorageParameters[N]
    ? (params?: StorageParameters[N]) => Promise<Results[N]>
    : (params: StorageParameters[N]) => Promise<Results[N]>
}
