import type { Model } from '../../models/contract.ts'
import type { Attachment } from '../../sessions/contract.ts'

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
