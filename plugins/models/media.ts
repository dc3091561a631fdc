import type { ImageModelV4, SpeechModelV4, TranscriptionModelV4 } from '@ai-sdk/provider'

/** Modalities of models that take or give something else than text. */
export type Medium = keyof MediaModels
export interface MediaModels {
  transcription: TranscriptionModelV4
  speech: SpeechModelV4
  image: ImageModelV4
}

export interface MediaModelInfo {
  readonly modelId: string
  readonly name: string
}

/** A model of one of these modalities, and what is known of it. */
export interface MediaModel<M extends Medium> extends MediaModelInfo {
  readonly modelProvider: string
  /** Whether what it is given stays on this machine. */
  readonly isLocal: boolean
  readonly model: MediaModels[M]
  /** Of models that speak. */
  voices?(): Promise<readonly Voice[]>
}

export interface Voice {
  readonly id: string
  readonly name: string
  /** BCP 47; empty: any. */
  readonly languages: readonly string[]
}

/** Serves the models of one provider for one of these modalities. */
export interface MediaSource<M extends Medium> {
  /** Whether it can answer, where that is not the same as `configured` of the provider. */
  configured?(project?: string): Promise<boolean>
  /** As `ModelProvider.languageModels`. */
  list(project?: string): Promise<readonly MediaModelInfo[]>
  /** As `ModelProvider.languageModel`. */
  model(
    project: string,
    modelId: string | null
  ): Promise<MediaModelInfo & Pick<MediaModel<M>, 'model' | 'voices'>>
}
