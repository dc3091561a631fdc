import type {
  EmbeddingModelV4,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult
} from '@ai-sdk/provider'
import type { Asked, AskedMedia, Asking, LengthReading, MediaAsking, ModelGate } from './asking.ts'
import type { Explanation } from './explanation.ts'
import type { ModelFailure } from './failures/model-failure.ts'
import type { MediaModel, MediaSource, Medium } from './media.ts'
import type { PartsModel } from './parts-model.ts'
import type { VendorOptionsOf } from './vendor-options.ts'

export type * from './asking.ts'
export type * from './explanation.ts'
export type { FailureClass } from './failures/failure-classes.ts'
export type { ModelFailure } from './failures/model-failure.ts'
export type * from './media.ts'
export type * from './parts-model.ts'

/** What an agent says of its model; null stands for the default. */
export interface ModelChoice {
  readonly modelProvider: string | null
  readonly modelId: string | null
}

/** What may stand in a prompt. */
export type InputModality = 'text' | 'image'

export interface ModelInfo {
  readonly modelId: string
  readonly name: string
  /** Tokens that prompt and reply may have together; null: unknown. */
  readonly contextTokens: number | null
  /** Tokens that a reply may have; null: unknown. */
  readonly outputTokens: number | null
  /** What it takes; left out: unknown. */
  readonly inputModalities?: readonly InputModality[]
}

/** A model, and what is known of it. */
export interface Model extends ModelInfo {
  readonly modelProvider: string
  /**
   * Server and model by which replies are known: data that a reply holds for its model only (signatures of thoughts, IDs
   * of calls) goes back to a model of the same origin and to no other. Default: `<provider>/<model>`.
   */
  readonly origin?: string
  /** Answers in place of a model: usage that it does not report is not estimated. Default: false. */
  readonly isExecutor?: boolean
  /** Left out: text alone. */
  readonly inputModalities?: readonly InputModality[]
  readonly languageModel: LanguageModelV4 & Partial<PartsModel>
  /** Those options in `providerOptions` of its provider; undefined where it has none of them. */
  readonly vendorOptions?: VendorOptionsOf
}

/** What a model is asked for; as in the AI SDK, a member of its provider each. */
export type Modality = 'language' | 'embedding' | Medium

export interface EmbeddingModelInfo {
  readonly modelId: string
  readonly name: string
  /** Numbers of a vector; null: known when it was first asked. */
  readonly dimensions: number | null
}

/** A model that gives vectors for texts. */
export interface EmbeddingModel extends EmbeddingModelInfo {
  readonly modelProvider: string
  readonly embeddingModel: EmbeddingModelV4
}

/** Serves the models of one `modelProvider`, its key at the point. Its `order` there is its rank as the default. */
export interface ModelProvider {
  /** As people know it. */
  readonly name: string
  /** Whether it can answer: it has a key for this project, or needs none. Without a project: for every one. */
  configured(project?: string): Promise<boolean>
  /** Needs no network: what it is asked stays in this process. */
  readonly isLocal?: boolean
  /** 503, code `model_not_configured`, when it cannot. `modelId` null: its default model. */
  languageModel?(project: string, modelId: string | null): Promise<Model>
  /**
   * Those that it is known to serve, its default model first; any other id may work as well. Without a project:
   * those that are the same for every one.
   */
  languageModels?(project?: string): Promise<readonly ModelInfo[]>
  /** As `languageModel`. */
  embeddingModel?(project: string, modelId: string | null): Promise<EmbeddingModel>
  /** As `languageModels`. */
  embeddingModels?(project?: string): Promise<readonly EmbeddingModelInfo[]>
  /** The other modalities that it has. */
  readonly media?: { readonly [M in Medium]?: MediaSource<M> }
}

export interface EmbedOptions {
  /** What the texts are, for models that tell them apart. */
  readonly as: 'document' | 'query'
  readonly signal?: AbortSignal
}

/** The embedding model of a project, ready to be asked. */
export interface Embedder {
  /** `<provider>/<model>`: vectors of different ones cannot be compared. */
  readonly id: string
  /** Whether texts stay in this process. */
  readonly isLocal: boolean
  /** Texts that are asked for at a time: where many are given, so many come back before the next ones are asked for. */
  readonly textsAtOnce: number
  /**
   * A vector for each text, in their order, each of length 1, so that products are cosines. In as many calls as the model
   * wants; a call that fails in passing is tried again up to three times, after `Retry-After` where the model says so.
   * 502, code `embedding_failed`, when it fails for good; 503, code `embedding_unavailable`, while it cannot be asked; the
   * signal's reason.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
}

/** Which model of a modality; `modelId` null: the provider's default. */
export interface ProviderChoice {
  readonly modelProvider: string
  readonly modelId: string | null
}
export type EmbeddingChoice = ProviderChoice

export interface Models extends LengthReading {
  /** 400 at `param` for a `modelProvider` that no pack brings. */
  checkProvider(modelProvider: string, param: string): void
  /**
   * The model for a choice in a project; without a choice that of the deployment, else of the first provider that is
   * configured, `local` the last. Costs no query as a rule. 503, code `model_not_configured`, where there is none; 409,
   * code `model_provider_unknown`, where no pack brings the chosen provider any more.
   */
  resolve(project: string, choice: ModelChoice): Promise<Model>
  /**
   * Asks a model, as `resolve` gave it, for what is no step of a run: gates are asked before, and may refuse (402, 503), and
   * what it used is told by `models.asked`, so that it is counted and charged.
   */
  ask(
    asking: Asking,
    model: Model,
    options: LanguageModelV4CallOptions
  ): Promise<LanguageModelV4GenerateResult>
  /** Of what class an error is that a model threw, in its code, HTTP status and message for callers. */
  failureOf(error: unknown): ModelFailure
  /** The project's fallback models, in order. Costs no query as a rule. */
  fallbacks(project: string): Promise<readonly ProviderChoice[]>
  /**
   * Which one `resolve` would give, and why, also where that one is not configured. For people: it asks the database,
   * and a server of chat completions for its models. 503, code `model_not_configured`, where there is none at all.
   */
  explain(project: string, choice: ModelChoice): Promise<Explanation>
  /**
   * The embedding model of a project: what it chose, else the deployment's, else the first one that is local, so that no
   * text goes anywhere unless someone said so. Costs no query as a rule. 503, code `model_not_configured`, where there is
   * none; 409, code `model_provider_unknown`, where no pack brings the chosen provider any more. `choice`: that one.
   */
  embedding(project: string, choice?: EmbeddingChoice): Promise<Embedder>
  /**
   * The model of a project for another modality, chosen as that for vectors is; refuses what that refuses. 400
   * `modality_missing` for a chosen provider that lacks it.
   */
  media<M extends Medium>(project: string, medium: M, choice?: ProviderChoice): Promise<MediaModel<M>>
  /**
   * Does `work` with a model, as `media` gave it: gates are asked before, and may refuse (402, 503), and what `used` was told of is told by
   * `models.media_asked`, so that it is charged.
   */
  askMedia<T>(
    asking: MediaAsking,
    model: Pick<MediaModel<Medium>, 'modelProvider' | 'modelId'>,
    work: (used: (quantity: number) => void) => Promise<T>
  ): Promise<T>
}

/** A project’s set-up of a provider. */
export interface ProviderConfigured {
  readonly provider: string
  readonly baseUrl: string | null
  readonly apiKey: { readonly set: boolean }
  readonly version: number
}

declare module 'agent-platform' {
  interface Services {
    models: Models
  }
  interface Points {
    'models.provider': ModelProvider
    'models.gate': ModelGate
  }
  interface Facts {
    /** A model was asked for what is no step of a run. */
    'models.asked': Asked
    /** A model was asked to hear, to speak or to draw. */
    'models.media_asked': AskedMedia
    'models.provider_configured': ProviderConfigured
    'models.provider_reset': { provider: string }
    /** A project's own model for a modality, instead of the deployment's. */
    'models.model_chosen': ProviderChoice & { readonly modality: Modality }
    'models.fallbacks_changed': { readonly models: readonly ProviderChoice[] }
    'models.model_reset': { readonly modality: Modality }
  }
}
