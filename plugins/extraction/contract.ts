import type { Principal } from 'agent-platform'

/** A document that a stranger wrote. */
export interface UntrustedDocument {
  /** Its file name: decides the format where the media type says nothing (`application/octet-stream`, `text/plain`). */
  readonly name: string
  /** With or without parameters; `charset` counts for text. */
  readonly mediaType: string
  /** Read as far as the limit of bytes; a stream is closed when there is more. */
  readonly content: Uint8Array | AsyncIterable<Uint8Array>
  /** JSON pointer to what names the document in the caller's request: the `param` of a 400. Default: none. */
  readonly param?: string
}

/** Each is at most what the settings say, which is also the default. */
export interface ExtractionLimits {
  /** Of the document, as it is read: 413, code `document_too_large`, beyond. */
  readonly bytes?: number
  /** UTF-16 code units of the result; what is longer is cut, and `truncated`. */
  readonly characters?: number
  /** What comes after them is left out, and the result `truncated`. */
  readonly pages?: number
}

/** Positions in `text`, in UTF-16 code units; `number` counts from 1. */
export interface PagePosition {
  readonly number: number
  readonly start: number
  readonly end: number
}

export interface ExtractedText {
  readonly text: string
  /** Markdown where the format has structure: HTML, DOCX, CSV, Markdown itself. */
  readonly mediaType: 'text/plain' | 'text/markdown'
  /** As the document names itself. */
  readonly title?: string
  /** Where each page lies in `text`; only of formats that have pages (PDF). */
  readonly pages?: readonly PagePosition[]
  /** Pages that the document has, also those that were not read. */
  readonly pageCount?: number
  /** Something was left out because of a limit. */
  readonly truncated: boolean
  /** What a reader should know of, for people: a page without text, a charset that was guessed. At most 20. */
  readonly warnings: readonly string[]
}

/**
 * What can be shown of a document. Text and HTML are UTF-8; HTML is a sanitised fragment: no script, style, event handler,
 * form, frame, nor anything that is loaded from elsewhere, links with `rel="noopener noreferrer nofollow"`. An image is a
 * newly encoded one without metadata, at most 1,024 pixels in each direction.
 */
export interface Preview {
  readonly mediaType: 'text/plain' | 'text/html' | 'image/png' | 'image/jpeg' | 'image/webp'
  readonly body: Uint8Array
  readonly title?: string
  /** Of an image, in pixels, as it is shown. */
  readonly width?: number
  readonly height?: number
  readonly pageCount?: number
  /** Only a part is shown. */
  readonly truncated: boolean
  readonly warnings: readonly string[]
}

/** How an image is made anew; nothing of the file but its pixels is left. */
export interface ImageForm {
  /** A JPEG has a white ground. */
  readonly mediaType: 'image/jpeg' | 'image/webp'
  /** Greatest width and height, at most 1,024 pixels. What is smaller stays so. */
  readonly side: number
  /** Cut to a square from its middle; default: the whole image. */
  readonly isSquare?: boolean
}

export interface ExtractedImage {
  readonly mediaType: ImageForm['mediaType']
  readonly body: Uint8Array
  /** In pixels, as it is shown: upright. */
  readonly width: number
  readonly height: number
}

/**
 * Text, previews and images out of documents, in a process of its own within caps on time, memory, bytes, pages and characters;
 * askers by turns. Never inside a transaction: it may take seconds.
 *
 * Fails with 415 `format_unsupported`; 413 `document_too_large` (its bytes, or what is packed in it); 400
 * `document_broken`, `document_encrypted`, `encoding_unknown`, `document_too_costly` (time or memory); 429 where too many documents of the
 * asker wait; 503 `extraction_unavailable` where no process could be started; and with the signal's reason.
 */
export interface Extraction {
  text(
    by: Asker,
    document: UntrustedDocument,
    limits?: ExtractionLimits,
    signal?: AbortSignal
  ): Promise<ExtractedText>
  preview(
    by: Asker,
    document: UntrustedDocument,
    limits?: ExtractionLimits,
    signal?: AbortSignal
  ): Promise<Preview>
  /** A picture of a format of images, of which the first frame is taken. */
  image(
    by: Asker,
    document: UntrustedDocument,
    form: ImageForm,
    signal?: AbortSignal
  ): Promise<ExtractedImage>
  /** Whether there is a format for it: else `text`, `preview` and `image` are 415. Costs nothing. */
  reads(document: Pick<UntrustedDocument, 'name' | 'mediaType'>): Required<DocumentFormat['gives']>
}

type Asker = Pick<Principal, 'project' | 'owner'>

/** What a format's module is given, inside the process for documents. */
export interface FormatInput {
  readonly name: string
  /** Lower case, without parameters. */
  readonly mediaType: string
  readonly charset?: string
  readonly bytes: Uint8Array
  readonly limits: {
    readonly characters: number
    readonly pages: number
    readonly pixels: number
    readonly milliseconds: number
  }
  /** Where an image is asked for. */
  readonly form?: ImageForm
}

/** What a format's module gives; what is longer than `limits.characters` is cut behind it. */
export type FormatText = Pick<ExtractedText, 'text' | 'title' | 'pages' | 'pageCount'> &
  Partial<Pick<ExtractedText, 'mediaType' | 'truncated' | 'warnings'>>
export type FormatPreview = Omit<Preview, 'body' | 'truncated' | 'warnings'> & {
  readonly body: string | Uint8Array
} & Partial<Pick<Preview, 'truncated' | 'warnings'>>

/**
 * What the module of a format exports. It runs in the process for documents, which has no environment, no network of the
 * platform's, and no files to write. Throws an error with `code` `document_broken`, `document_encrypted`,
 * `encoding_unknown` or `document_too_large` and a message for people; any other error is `document_broken`.
 */
export interface FormatModule {
  text?(document: FormatInput): FormatText | Promise<FormatText>
  preview?(document: FormatInput): FormatPreview | Promise<FormatPreview>
  image?(document: FormatInput & { readonly form: ImageForm }): Promise<ExtractedImage>
}

/** A format that a pack brings. Of two for the same media type the first in the point's order counts. */
export interface DocumentFormat {
  /** Lower case, without parameters; `text/*` stands for all that begin so and have no format of their own. */
  readonly mediaTypes: readonly string[]
  /** Of file names, lower case, with the dot: `.epub`. */
  readonly extensions: readonly string[]
  /** `new URL('./epub.ts', import.meta.url).href`: a `FormatModule`, loaded when a document of the format comes. */
  readonly module: string
  readonly gives: { readonly text: boolean; readonly preview: boolean; readonly image?: boolean }
}

declare module 'agent-platform' {
  interface Services {
    extraction: Extraction
  }
  interface Points {
    'extraction.format': DocumentFormat
  }
}
