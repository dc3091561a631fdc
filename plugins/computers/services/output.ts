import { StringDecoder } from 'node:string_decoder'

/** What no column of text and no reader of JSON takes. */
const clean = (text: string) => text.replaceAll('\0', '\uFFFD')

/** Takes bytes of an output up to a cap, and gives them as text, as they come and in all. */
export function createOutput(most: number, hear?: (text: string) => void) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let size = 0
  const add = (more: string) => {
    if (more === '') return
    text += clean(more)
    hear?.(clean(more))
  }
  return {
    take(bytes: Buffer): void {
      const part = bytes.subarray(0, Math.max(0, most - size))
      size += bytes.length
      add(decoder.write(part))
    },
    /** All of it. */
    end(): string {
      add(decoder.end())
      return text
    }
  }
}

/** The last bytes of what is written, as text. */
export function createTail(most: number) {
  let parts: Buffer[] = []
  let size = 0
  const join = () => {
    const all = Buffer.concat(parts)
    const kept = all.subarray(Math.max(0, all.length - most))
    parts = [kept]
    size = kept.length
    return kept
  }
  return {
    take(bytes: Buffer): void {
      parts.push(bytes)
      size += bytes.length
      if (size > most * 4) join()
    },
    text: (): string => clean(join().toString('utf8'))
  }
}
