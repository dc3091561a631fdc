/** What a page may do, whoever wrote it: not be of the origin that it lies on, nor lead the page that frames it elsewhere. */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads allow-pointer-lock allow-presentation'

/**
 * Of all that lies in previews. What is public is read from any origin, such as the one without a name that a sandbox makes;
 * `isApart`: where each preview has an origin of its own, on which nothing else is, it may be of that.
 */
export const previewHeaders = (isApart: boolean) => ({
  'content-security-policy': isApart ? `${SANDBOX} allow-same-origin` : SANDBOX,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'accept-ranges': 'bytes'
})
