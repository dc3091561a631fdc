/** The value of a cookie. Undefined if it is missing, or there twice: another host of the same domain may have set one. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at).trim() === name ? pair.slice(at + 1).trim() : []
  })
  return values.length === 1 ? values[0] : undefined
}
