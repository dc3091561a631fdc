import { canonicalJson } from 'agent-platform'
import type { Item } from '../recording/items.ts'
import type { Trace } from '../stores/traces.ts'

const PREDICATE_TYPE = 'urn:agent-platform:provenance:v1'
const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

interface About {
  readonly scope: { readonly type: string; readonly id: string }
  readonly issuer: string
  readonly keyId: string
  readonly traces: readonly Trace[]
  readonly count: number
  readonly root: string
}

/** An in-toto Statement v1: the answers of the runs, and how to tell whether something belongs to what they were made of. */
export function statementOf({ scope, issuer, keyId, traces, count, root }: About): object {
  const answers = traces.flatMap(({ items }) => items.filter(({ type }) => type === 'answer'))
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: scope.id, digest: { sha256: root } }, ...answers.map(subjectOf)],
    predicateType: PREDICATE_TYPE,
    predicate: {
      scope,
      issuer,
      key: `${issuer}/v1/provenance/keys/${keyId}`,
      runs: traces.length,
      from: traces[0]?.startedAt,
      to: traces.at(-1)?.endedAt,
      tree: { algorithm: 'rfc6962-sha256', size: count, root }
    }
  }
}

const subjectOf = ({ id, sha256 }: Item) => ({ name: `${id}/answer`, digest: { sha256 } })

/** What DSSE signs of a payload. */
const preAuthEncoding = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload])

export interface SigstoreBundle {
  readonly mediaType: string
  readonly verificationMaterial: {
    readonly publicKey: { readonly hint: string }
    readonly tlogEntries: unknown[]
  }
  readonly dsseEnvelope: {
    /** Base64. */
    readonly payload: string
    readonly payloadType: string
    readonly signatures: { readonly sig: string; readonly keyid: string }[]
  }
}

/** The statement in a DSSE envelope, in a Sigstore bundle v0.3: signed by a key, in no transparency log. */
export function sigstoreBundle(
  statement: object,
  keyId: string,
  sign: (bytes: Buffer) => Buffer
): SigstoreBundle {
  const payload = Buffer.from(canonicalJson(statement))
  const sig = sign(preAuthEncoding(payload)).toString('base64')
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: keyId }, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType: PAYLOAD_TYPE,
      signatures: [{ sig, keyid: keyId }]
    }
  }
}
