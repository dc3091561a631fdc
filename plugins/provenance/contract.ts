import type { SigstoreBundle } from './bundles/statement.ts'

export type { SigstoreBundle }

export interface SignedStatement {
  /** SHA-256 of the public key (DER), in hex. */
  readonly keyId: string
  /** PEM. */
  readonly publicKey: string
  readonly bundle: SigstoreBundle
}

export interface Provenance {
  /**
   * Signs an in-toto statement by the key that signs bundles of the project now (DSSE, Ed25519), in a Sigstore bundle. For packs
   * that say what they sign: whoever has the bundle believes the platform that it is so.
   */
  sign(project: string, statementOf: (keyId: string) => object): Promise<SignedStatement>
  /** A public key that signs, or did, and in which project; undefined where this platform has none of that id. */
  findKey(
    keyId: string
  ): Promise<{ readonly project: string; readonly id: string; readonly publicKey: string } | undefined>
}

declare module 'agent-platform' {
  interface Services {
    provenance: Provenance
  }
}
