/** Scenarios of the official suite that the platform does not pass as a client, and why. */
export const expected: Readonly<Record<string, string>> = {
  'auth/basic-cimd':
    'A warning, no failure: the suite knows one address of a client’s metadata document, its own. The platform is ' +
    'known by the address of the document that it serves itself.',
  'auth/2025-03-26-oauth-metadata-backcompat':
    'The suite’s server names an issuer that its metadata is not found at. RFC 8414 (section 3.3) forbids to believe ' +
    'that, and it is what keeps one authorization server from passing for another.',
  'auth/client-credentials-jwt':
    'An extension that the platform does not offer: servers are used on behalf of their owners, who authorize them.',
  'auth/client-credentials-basic': 'An extension that the platform does not offer, for the same reason.',
  'auth/cross-app-access-complete-flow':
    'An extension that the platform does not offer: it has no tokens of its users’ identity provider to exchange.'
}
