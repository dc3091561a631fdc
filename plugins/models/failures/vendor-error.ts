/** What a vendor says of a failure; any of it may be missing. */
export interface VendorError {
  readonly message?: string
  readonly type?: string
  readonly code?: string | number
  /** Google's word for the status. */
  readonly status?: string
  readonly param?: string
  /** Google's list of what else there is to say. */
  readonly details?: unknown
  /** OpenRouter's: what the server behind it said. */
  readonly metadata?: unknown
}

type Fields = Readonly<Record<string, unknown>>
const isObject = (it: unknown): it is Fields => typeof it === 'object' && it !== null && !Array.isArray(it)
const filled = (it: unknown): it is string => typeof it === 'string' && it.trim() !== ''

/** Errors within errors that are looked into. */
const DEPTH = 4

/**
 * The error in a body that is JSON, as servers spell it: an object below `error`, a string, the first of a list
 * (Google), `detail` (FastAPI), or fields beside each other. Undefined when it says nothing of the kind.
 */
export function vendorErrorIn(body: unknown, depth = DEPTH): VendorError | undefined {
  if (depth === 0) return undefined
  if (Array.isArray(body)) return vendorErrorIn(body[0], depth - 1)
  if (!isObject(body)) return undefined
  const { error, errors, detail } = body
  if (filled(error))
    return { ...fieldsOf(body), message: filled(body.message) ? `${error}: ${body.message}` : error }
  if (isObject(error)) return vendorErrorIn(error, depth - 1) ?? fieldsOf(error)
  if (Array.isArray(errors)) return vendorErrorIn(errors, depth - 1)
  if (detail !== undefined) return detailed(detail)
  const { object, message, code, type } = body
  const isError = object === 'error' || filled(message) || filled(code) || filled(type)
  return isError || typeof code === 'number' ? fieldsOf(body) : undefined
}

/** The error in a text; undefined unless that is JSON. */
export function vendorErrorOf(text: string): VendorError | undefined {
  try {
    return vendorErrorIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

function fieldsOf({ message, type, code, status, param, details, metadata }: Fields): VendorError {
  const behind = isObject(metadata) && filled(metadata.raw) ? metadata.raw : undefined
  const inner = behind === undefined ? undefined : (vendorErrorOf(behind)?.message ?? behind)
  const said = filled(message) ? message : undefined
  const whole = said && inner && !said.includes(inner) ? `${said}: ${inner}` : (said ?? inner)
  return {
    ...(whole !== undefined && { message: whole }),
    ...(filled(type) && { type }),
    ...((filled(code) || typeof code === 'number') && { code }),
    ...(filled(status) && { status }),
    ...(filled(param) && { param }),
    ...(details !== undefined && { details }),
    ...(metadata !== undefined && { metadata })
  }
}

/** FastAPI's: a text, or what is wrong at which places of the body. */
function detailed(detail: unknown): VendorError {
  if (filled(detail)) return { message: detail }
  if (isObject(detail)) return vendorErrorIn(detail) ?? {}
  if (!Array.isArray(detail)) return {}
  const [first] = detail
  if (!isObject(first)) return {}
  const place = Array.isArray(first.loc) ? first.loc.filter((it) => it !== 'body') : []
  const message = filled(first.msg) ? first.msg : undefined
  return {
    ...(message !== undefined && { message: place.length > 0 ? `${place.join('.')}: ${message}` : message }),
    ...(place.length > 0 && { param: String(place[0]) })
  }
}
