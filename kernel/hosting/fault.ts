/**
 * Why a pack could not be loaded, on one line. `import` is about its files, `manifest` about what they say.
 * Trying again makes sense when the files have changed.
 */
export class LoadFault extends Error {
  readonly kind: 'import' | 'manifest'
  readonly reason: string

  constructor(kind: 'import' | 'manifest', reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'LoadFault'
    this.kind = kind
    this.reason = reason
  }
}
