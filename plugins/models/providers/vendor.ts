import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { Dispatcher } from 'undici'
import type {
  EmbeddingModelInfo,
  InputModality,
  MediaModelInfo,
  MediaModels,
  Medium,
  Model,
  ModelInfo,
  Voice
} from '../contract.ts'
import type { Configuration } from '../stores/configurations.ts'

/** All that is needed to ask a vendor. */
export interface VendorAccess {
  readonly baseUrl: string
  readonly apiKey?: string
  readonly dispatcher: Dispatcher
  /** To other addresses that the vendor names. */
  readonly guarded?: Dispatcher
  /** What a request has besides. */
  readonly headers?: Readonly<Record<string, string>>
  /** What must not be shown of them. */
  readonly secrets?: readonly string[]
}

/** How a project reaches a vendor. */
export interface Route {
  /** Stands for key and address: another one for each change of either. */
  readonly revision: string
  readonly baseUrl: string
  /** Undefined: by the operator's key. */
  readonly own?: Configuration
}

export interface Vendor {
  readonly key: string
  readonly name: string
  /** What the operator set up for every project. */
  readonly environment: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined }
  readonly needsKey: boolean
  /** Its default first. Without a route: what is known all the same. */
  list(
    route?: Route,
    access?: () => Promise<VendorAccess>
  ): readonly ModelInfo[] | Promise<readonly ModelInfo[]>
  make(modelId: string, access: VendorAccess): LanguageModelV4 | Promise<LanguageModelV4>
  /** What is known of a model, with sizes that were set by hand. */
  sized?(info: ModelInfo): ModelInfo
  readonly vendorOptions?: Model['vendorOptions']
  /** What a model takes of which nothing else is known. */
  readonly inputModalities: readonly InputModality[]
  readonly embedding?: {
    /** As `list`. */
    list(route?: Route): readonly EmbeddingModelInfo[]
    make(modelId: string, access: VendorAccess): EmbeddingModelV4 | Promise<EmbeddingModelV4>
  }
  readonly media?: { readonly [M in Medium]?: VendorMedia<M> }
}

export interface VendorMedia<M extends Medium> {
  /** As `list`. */
  list(route?: Route): readonly MediaModelInfo[]
  make(modelId: string, access: VendorAccess): MediaModels[M]
  readonly voices?: readonly Voice[]
}
