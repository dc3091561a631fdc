import { rateLimited, tooLarge } from 'agent-platform'
import type { UntrustedDocument } from './contract.ts'

/** Of all documents that wait, in bytes: what more would wait is asked to come again. */
const MOST_WAITING = 268_435_456

/** Bytes of documents, while they wait for their turn. */
export function createReading() {
  let held = 0

  async function read(document: UntrustedDocument, most: number, count: (bytes: number) => void) {
    const { content, param } = document
    const large = () =>
      tooLarge(`The document is larger than ${most} bytes`, {
        code: 'document_too_large',
        ...(param !== undefined && { param })
      })
    if (content instanceof Uint8Array) {
      if (content.byteLength > most) throw large()
      count(content.byteLength)
      return content
    }
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of content) {
      size += part.byteLength
      if (size > most) throw large()
      count(part.byteLength)
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  return {
    /** What `work` gives for the bytes of a document, of which there are at most `most`. */
    async during<T>(
      document: UntrustedDocument,
      most: number,
      work: (bytes: Uint8Array) => Promise<T>
    ): Promise<T> {
      let own = 0
      const count = (bytes: number) => {
        if (held + bytes > MOST_WAITING) throw rateLimited(2, 'Too many documents wait to be read')
        own += bytes
        held += bytes
      }
      try {
        return await work(await read(document, most, count))
      } finally {
        held -= own
      }
    }
  }
}
