import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage
} from '@ai-sdk/provider'

/** Parts of a reply, those together that came together: a stream gives them one by one, each for a promise of its own. */
export interface Parts {
  /** Undefined at the end. One call at a time. */
  next(): Promise<readonly LanguageModelV4StreamPart[] | undefined>
  /** Nothing more is wanted: the model's connection is left. */
  leave(): void
  /** What the provider has said of it so far; most say nothing before the end. */
  usage?(): LanguageModelV4Usage | undefined
  /** Bytes that have come over the connection: each is a sign of life, also where no part has come of it. */
  received?(): number
}

/** What a model may offer beside `doStream`. */
export interface PartsModel {
  doParts(options: LanguageModelV4CallOptions): Promise<Parts>
}
