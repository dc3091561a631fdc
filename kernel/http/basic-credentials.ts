/** Sends a request with one value of `Authorization`, and if the server rejects the client with the other one, too. */
export type BasicCredentials = <R>(
  send: (authorization: string) => Promise<R>,
  isRejected: (reply: R) => boolean | Promise<boolean>
) => Promise<R>

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
// Unreserved characters stay as they are: the many servers that do not decode compare them literally.
const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')

/**
 * The credentials of an OAuth client as `Authorization: Basic`. RFC 6749 (2.3.1) encodes both parts as a form, but many
 * servers do not decode them. So the encoded form is tried first, then the literal one if it differs; the form that a
 * server accepts is used first from then on, as long as this process keeps these credentials.
 */
export function createBasicCredentials(clientId: string, clientSecret: string): BasicCredentials {
  const forms = new Set([basic(encoded(clientId), encoded(clientSecret)), basic(clientId, clientSecret)])
  let [first, second] = [...forms]
  return async (send, isRejected) => {
    const reply = await send(first as string)
    if (second === undefined || !(await isRejected(reply))) return reply
    const other = await send(second)
    if (await isRejected(other)) return reply
    ;[first, second] = [second, first]
    return other
  }
}
