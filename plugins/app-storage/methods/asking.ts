import type { Owned } from 'agent-platform'

/** What the manifest of an app says about its data. */
export interface StorageDeclaration {
  /** `app`: not only values of each user, but also those that all of them share. */
  readonly keyValue?: boolean | 'app'
  readonly collections?: readonly {
    readonly name: string
    /** `app`: one for all who use the app; `user`: one for each of them. */
    readonly scope: 'app' | 'user'
  }[]
  /** Less than the platform allows counts. */
  readonly quotaBytes?: number
}

/** The app that asks. */
export interface StorageInstallation extends Owned {
  /** Of this installation, and never of another one: what it keeps is kept by this. */
  readonly id: string
  /** Of its manifest; undefined where that asks for no storage. */
  readonly storage: StorageDeclaration | undefined
}

export type StorageMethod =
  | 'storage.get'
  | 'storage.set'
  | 'storage.delete'
  | 'storage.list'
  | 'storage.insert'
  | 'storage.find'
  | 'storage.findOne'
  | 'storage.update'
  | 'storage.remove'
  | 'storage.count'
