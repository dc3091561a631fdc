/**
 * What the application may do: run its own files, talk to this server, and show pages of apps, which come from this server
 * under a policy of their own, in frames without an origin.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Two: one for texts without markup, and one for documents in which nothing runs.
    "require-trusted-types-for 'script'",
    'trusted-types default inert-document'
  ].join('; ')

/** Of every page, so that no other site shows it in a frame, and none that opens it gets hold of its window. */
const common = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // A person confirms by a passkey who it is, in no frame.
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=(), publickey-credentials-get=(self)',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

export const pageHeaders = (nonce: string) => ({ ...common, 'content-security-policy': policyOf(nonce) })

/** Of a page without anything in it but text. */
export const textHeaders = {
  ...common,
  'content-security-policy': "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
}
