import type { KeyObject } from 'node:crypto'
import { createPublicKey, hash, verify } from 'node:crypto'
import { canonicalJson } from '../../kernel/contract/json.ts'
import type { Anchor } from './anchor.ts'
import { anchorFaults, anchorOf } from './anchor.ts'
import type { Fault } from './fault.ts'
import { rootOfAll, rootOfProof } from './merkle.ts'
import { twinOf } from './twins.ts'

export interface Verdict {
  readonly faults: readonly Fault[]
  /** What the statement is about, and how many of its items were shown; undefined for what is malformed. */
  readonly about?: {
    readonly scope: string
    readonly items: number
    readonly of: number
    readonly root: string
  }
  /** Where it says that its root stands on a chain. Whether the chain has it is not known by this. */
  readonly anchor?: Anchor
}

type Item = Readonly<Record<string, unknown>> & { readonly n: number }
interface Envelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly sig: string; readonly keyid: string }[]
}
interface Bundle {
  readonly bundle: {
    readonly mediaType: string
    readonly verificationMaterial: { readonly publicKey: { readonly hint: string } }
    readonly dsseEnvelope: Envelope
  }
  readonly items: readonly Item[]
  readonly proofs?: readonly (readonly string[])[]
  readonly anchor?: unknown
}
interface Statement {
  readonly _type: string
  readonly predicateType: string
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[]
  readonly predicate: {
    readonly scope: { readonly id: string }
    readonly tree: { readonly size: number; readonly root: string }
  }
}

const MEDIA_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const STATEMENT = 'https://in-toto.io/Statement/v1'
const PREDICATE = 'urn:agent-platform:provenance:v1'

/** Checks a bundle, as the platform answers with it, by a public key (PEM) and nothing else. */
export function verifyBundle(text: string, pem: string): Verdict {
  let bundle: Bundle
  let statement: Statement
  let anchor: Anchor | undefined
  try {
    bundle = bundleOf(text)
    statement = statementOf(bundle.bundle.dsseEnvelope)
    anchor = anchorOf(bundle.anchor)
  } catch (error) {
    return { faults: [{ code: 'malformed', message: (error as Error).message }] }
  }
  const { scope, tree } = statement.predicate
  const faults = [
    ...signatureFaults(bundle, createPublicKey(pem)),
    ...(bundle.proofs ? proofFaults(bundle, tree) : itemFaults(bundle.items, tree)),
    ...subjectFaults(bundle.items, statement),
    ...(anchor ? anchorFaults(anchor, tree.root) : [])
  ]
  const about = { scope: scope.id, items: bundle.items.length, of: tree.size, root: tree.root }
  return { faults, about, ...(anchor && { anchor }) }
}

/** As every reader of it takes it. */
function parse(text: string) {
  const parsed = JSON.parse(text)
  const twin = twinOf(text)
  if (twin !== undefined) throw new Error(`An object of it has ${JSON.stringify(twin)} twice`)
  return parsed
}

function bundleOf(text: string): Bundle {
  const parsed = parse(text)
  const bundle: Bundle = parsed?.data ?? parsed
  if (bundle?.bundle?.mediaType !== MEDIA_TYPE) throw new Error('It holds no Sigstore bundle v0.3')
  const { dsseEnvelope, verificationMaterial } = bundle.bundle
  if (dsseEnvelope?.payloadType !== PAYLOAD_TYPE || dsseEnvelope.signatures?.length !== 1)
    throw new Error('It holds no DSSE envelope of an in-toto statement with one signature')
  if (typeof verificationMaterial?.publicKey?.hint !== 'string') throw new Error('It names no key')
  if (!Array.isArray(bundle.items) || bundle.items.some((item) => !Number.isInteger(item?.n)))
    throw new Error('Its items are not numbered')
  if (bundle.proofs && bundle.proofs.length !== bundle.items.length)
    throw new Error('There is not one proof for each item')
  return bundle
}

function statementOf({ payload }: Envelope): Statement {
  const statement: Statement = parse(Buffer.from(payload, 'base64').toString())
  const tree = statement.predicate?.tree
  const isKnown = statement._type === STATEMENT && statement.predicateType === PREDICATE
  if (!isKnown || !Number.isInteger(tree?.size) || typeof tree.root !== 'string')
    throw new Error('Its payload is no statement of this platform')
  return statement
}

function signatureFaults({ bundle }: Bundle, key: KeyObject): Fault[] {
  const trusted = hash('sha256', key.export({ type: 'spki', format: 'der' }))
  const { payload, payloadType, signatures } = bundle.dsseEnvelope
  const signed = [bundle.verificationMaterial.publicKey.hint, ...signatures.map(({ keyid }) => keyid)]
  const other = signed.find((id) => id !== trusted)
  if (other !== undefined)
    return [{ code: 'resigned', message: `It is signed by the key ${other}, and trusted is ${trusted}` }]
  const body = Buffer.from(payload, 'base64')
  const start = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `)
  const sig = Buffer.from(signatures[0]?.sig ?? '', 'base64')
  if (verify(null, Buffer.concat([start, body]), key, sig)) return []
  return [{ code: 'forged', message: 'The statement is not what the key signed' }]
}

type Tree = Statement['predicate']['tree']

/** Of a bundle that shows all of its items. */
function itemFaults(items: readonly Item[], { size, root }: Tree): Fault[] {
  const faults: Fault[] = []
  const there = new Set(items.map(({ n }) => n))
  const inOrder = items.toSorted((a, b) => a.n - b.n)
  const moved = items.findIndex((item, index) => item !== inOrder[index])
  if (moved >= 0 && there.size === items.length) {
    const [is, was] = [items[moved]?.n, inOrder[moved]?.n]
    faults.push({ code: 'reordered', message: `Item ${is} stands where ${was} was` })
  }
  const missing = Array.from({ length: size }, (_, n) => n).filter((n) => !there.has(n))
  if (missing.length > 0) {
    const [first] = missing
    faults.push({
      code: 'cut',
      message: `${missing.length} of ${size} items are missing, the first is ${first}`
    })
  } else if (items.length !== size)
    faults.push({ code: 'forged', message: `There are ${items.length} items, and ${size} were signed` })
  else if (rootOfAll(inOrder.map((item) => canonicalJson(item))).toString('hex') !== root)
    faults.push({ code: 'forged', message: 'An item is not what was signed' })
  return faults
}

/** Of one that shows some of them, each with its proof. */
function proofFaults({ items, proofs = [] }: Bundle, { size, root }: Tree): Fault[] {
  if (items.length === 0) return [{ code: 'cut', message: 'It shows no item' }]
  const numbers = items.map(({ n }) => n)
  // One that is shown twice would stand in for one that is not.
  const twice = numbers.find((n, index) => numbers.indexOf(n) !== index)
  if (twice !== undefined) return [{ code: 'forged', message: `Item ${twice} is shown twice` }]
  return items.flatMap((item, index): Fault[] => {
    const nodes = (proofs[index] ?? []).map((node) => Buffer.from(node, 'hex'))
    if (rootOfProof(canonicalJson(item), item.n, size, nodes)?.toString('hex') === root) return []
    return [
      { code: 'forged', message: `Item ${item.n} is not what was signed, or its proof is another one's` }
    ]
  })
}

/** What the statement says it is about has to be what is in its tree. */
function subjectFaults(items: readonly Item[], { subject, predicate }: Statement): Fault[] {
  const digests = new Map(subject.map(({ name, digest }) => [name, digest?.sha256]))
  const wrong = items.find(
    ({ type, id, sha256 }) => type === 'answer' && digests.get(`${id}/answer`) !== sha256
  )
  if (digests.get(predicate.scope.id) === predicate.tree.root && !wrong) return []
  return [
    {
      code: 'forged',
      message: `The statement names another ${wrong ? 'answer' : 'tree'} than the items have`
    }
  ]
}
