import type { ExtractedImage, ExtractedText, FormatInput, Preview } from './contract.ts'

/** What the process for documents is asked. */
export interface Question {
  readonly for: 'text' | 'preview' | 'image'
  /** Of the format. */
  readonly module: string
  readonly document: FormatInput
}

export type Answer =
  | { readonly text: ExtractedText }
  | { readonly preview: Preview }
  | { readonly image: ExtractedImage }
  | { readonly failure: { readonly code: string; readonly message: string } }

/** What a format may say of a document that it refuses. */
export type DocumentFault =
  | 'document_broken'
  | 'document_encrypted'
  | 'encoding_unknown'
  | 'document_too_large'
  | 'document_too_costly'

/** An error by which a format refuses a document; the message goes on after "The document". */
export const refused = (code: DocumentFault, message: string) => Object.assign(new Error(message), { code })
