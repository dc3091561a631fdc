import { invalid } from '../contract/errors.ts'

const MAX_HEADERS = 8_192
const LAST = Buffer.from('--')

/**
 * The fields of a body that is `multipart/form-data`, of at most so many `parts` beside its end. 400 where there are more,
 * where the headers of a part go on for longer than 8 KiB, and where it is no such form.
 */
export async function readForm(contentType: string, body: Buffer, parts: number): Promise<FormData> {
  refuseFlood(contentType, body, parts)
  const headers = { 'content-type': contentType }
  return new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw invalid('', 'The body is not the form that its content type says')
  })
}

/** Parsing a form holds up everybody else: for a second, if millions of parts or headers were let through. */
function refuseFlood(contentType: string, body: Buffer, most: number): void {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const delimiter = `--${quoted ?? plain ?? ''}`
  let parts = 0
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    const isLast = body.subarray(at + delimiter.length, at + delimiter.length + 2).equals(LAST)
    if (!isLast && ++parts > most) throw invalid('', 'The form has too many parts')
    if (!isLast && !body.subarray(at, at + MAX_HEADERS).includes('\r\n\r\n'))
      throw invalid('', 'A part of the form has headers without an end')
  }
}
