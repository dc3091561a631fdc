/** What a pack says of a place in the parameters is told as a place in the body of the request. */
export async function placed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { kind, param } = Object(error) as { kind?: unknown; param?: unknown }
    if (kind !== undefined && typeof param === 'string' && /^(?:$|\/(?!params))/.test(param))
      Object.assign(error as object, { param: `/params${param}` })
    throw error
  }
}
