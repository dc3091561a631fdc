import type { Model } from '../../models/contract.ts'
import type { Attachment } from '../../sessions/contract.ts'
import type { RunInfo } from '../contract.ts'

/** Serves a part of a run's body that needs more than this pack; its key is the part's name. */
export interface RequestPart {
  /** Before the run is accepted. Refuses by throwing. */
  accept(run: RunInfo, value: unknown, room: RoomOfParts): Promise<AcceptedPart | undefined>
  /**
   * An image that it gave before, in this run or in an earlier one of the session; asked for by each prompt that shows it.
   * Undefined where it is gone, or the run may not see it.
   */
  image?(run: RunInfo, image: Attachment): Promise<PromptImage | undefined>
}

/** What a part may add to the prompt. */
export interface RoomOfParts {
  /** Of all documents and images together. */
  readonly characters: number
  /** What each image counts. */
  readonly imageCharacters: number
  readonly model: Pick<Model, 'modelProvider' | 'modelId' | 'inputModalities'>
}

export interface AcceptedPart {
  /** Become untrusted messages of the session, ahead of the caller's last one. */
  readonly documents?: readonly string[]
  /** Belong to the caller's last message of the role `user`. Only for a model that takes images. */
  readonly images?: readonly Attachment[]
}

export interface PromptImage {
  /** Any of `image/*` that every provider takes: PNG, JPEG, GIF. */
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Says what an answer stands on; of a run that called tools alone. */
export interface CitationSource {
  /** Asked when the model has answered, before the run has ended: what of it is cited, if anything. */
  cite(run: RunInfo, content: string): Promise<readonly Citation[]>
}
