import type {} from 'agent-platform'

/** Where the data of an app lies, and from where it moved. */
export interface ProviderChange {
  /** Of the installation. */
  readonly id: string
  readonly from: string
  readonly to: string
}

declare module 'agent-platform' {
  interface Facts {
    /** Its data begins to move there. */
    'app-storage.provider_chosen': ProviderChange
    /** It lies there. */
    'app-storage.provider_changed': ProviderChange
  }
}
