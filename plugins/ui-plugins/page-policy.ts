/**
 * What a page may do: run its own inline code, and show what it has in it. It reaches no network, opens no frame, sends no form;
 * what it wants of the platform it asks of its host.
 */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; " +
  "media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'"

/**
 * As a header: pages of the platform itself alone show its address in a frame, and neither that nor a tab gives it an origin. Forms are
 * allowed there as in the frame of a host, or the page's own code would hear of no `submit`; where they are sent to is decided above.
 */
export const PAGE_POLICY = `${POLICY}; sandbox allow-scripts allow-forms; frame-ancestors 'self'`

/**
 * The document with the policy in it, ahead of everything of its own, as headers are lost where a host puts the text in a frame.
 * Names that a browser looks up ahead of time are under no policy, and would tell their server something.
 * What a document says of itself before that (a doctype, <html>, <head>) an HTML parser ignores or merges.
 */
const head = Buffer.from(
  `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta http-equiv="x-dns-prefetch-control" content="off">`
)
export const withPolicy = (html: Buffer): Buffer => Buffer.concat([head, html])
