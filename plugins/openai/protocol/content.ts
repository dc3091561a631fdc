import { invalid } from 'agent-platform'

/** A file that came with a message, and where it stood. */
export type Given =
  | {
      readonly from: 'bytes'
      readonly bytes: Buffer
      readonly name: string
      readonly mediaType: string
      readonly param: string
    }
  | { readonly from: 'url'; readonly url: string; readonly param: string }
  | { readonly from: 'file'; readonly fileId: string; readonly param: string }

type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Stands for what was attached where nothing was said. */
const ATTACHED = '(attached)'

/** Text of a message's content; what else there is in it goes to `given`. */
export function readContent(content: unknown, param: string, given: Given[] | undefined): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw invalid(param, `${param} must be a text or a list of parts`)
  const before = given?.length ?? 0
  const text = content.map((part, index) => readPart(part, `${param}/${index}`, given)).join('')
  return text === '' && given && given.length > before ? ATTACHED : text
}

function readPart(part: unknown, param: string, given: Given[] | undefined): string {
  if (!isObject(part)) throw invalid(param, `${param} must be an object`)
  const { type } = part
  if (type === 'text' || type === 'input_text' || type === 'output_text')
    return textOf(part.text, `${param}/text`)
  if (type === 'refusal') return textOf(part.refusal, `${param}/refusal`)
  const file = given && fileOf(type, part, param)
  if (!file) throw unsupported(`${param}/type`, `Parts of the type ${JSON.stringify(type ?? null)}`)
  given.push(file)
  return ''
}

function fileOf(type: unknown, part: Json, param: string): Given | undefined {
  if (type === 'image_url') {
    const { url } = isObject(part.image_url) ? part.image_url : {}
    return addressed(url, `${param}/image_url/url`, 'image')
  }
  if (type === 'input_image')
    return typeof part.file_id === 'string'
      ? { from: 'file', fileId: part.file_id, param: `${param}/file_id` }
      : addressed(part.image_url, `${param}/image_url`, 'image')
  if (type === 'file') return fileFields(isObject(part.file) ? part.file : {}, `${param}/file`)
  if (type === 'input_file') return fileFields(part, param)
  return undefined
}

function fileFields({ file_id, file_data, file_url, filename }: Json, param: string): Given {
  if (typeof file_id === 'string') return { from: 'file', fileId: file_id, param: `${param}/file_id` }
  const name = typeof filename === 'string' && filename !== '' ? filename : 'file'
  if (typeof file_data === 'string') return inData(file_data, `${param}/file_data`, name)
  return addressed(file_url, `${param}/file_url`, name)
}

function addressed(url: unknown, param: string, name: string): Given {
  if (typeof url !== 'string') throw invalid(param, `${param} must be an address`)
  if (url.startsWith('data:')) return inData(url, param, name)
  if (!/^https?:\/\//i.test(url)) throw invalid(param, `${param} must be a data URL, or begin with https://`)
  return { from: 'url', url, param }
}

/** RFC 2397, in base64; or the base64 alone, as some clients send files. */
function inData(text: string, param: string, name: string): Given {
  const head = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[^;,]*)*;base64,/i.exec(text)
  if (!head && text.startsWith('data:')) throw invalid(param, `${param} must be in base64`)
  const bytes = Buffer.from(text.slice(head?.[0].length ?? 0), 'base64')
  if (bytes.length === 0) throw invalid(param, `${param} is empty, or not in base64`)
  return { from: 'bytes', bytes, name, mediaType: head?.[1] ?? 'application/octet-stream', param }
}

const textOf = (text: unknown, param: string): string => {
  if (typeof text !== 'string') throw invalid(param, `${param} must be a text`)
  return text
}

export const unsupported = (param: string, what: string) =>
  invalid(param, `${what} are not supported here`, 'unsupported_parameter')
