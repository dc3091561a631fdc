import pg from 'pg'

interface Scope {
  teardown(work: () => unknown): unknown
}
type Sent = string | { readonly text?: string; readonly sql?: string; readonly values?: readonly unknown[] }

/** The statements of one transaction, in order; the values of all of them. */
export interface Sequence {
  readonly texts: string[]
  readonly values: unknown[]
}

/** Collects what this process sends to PostgreSQL from now on, by transaction; those that were committed. */
export function watchTransactions(t: Scope): () => readonly Sequence[] {
  const { prototype } = pg.Client
  const { query } = prototype
  const open = new WeakMap<object, Sequence>()
  const committed: Sequence[] = []
  prototype.query = function (this: object, ...args: unknown[]) {
    const [sent, given] = args as [Sent, unknown]
    const { text = '', values = given } = typeof sent === 'string' ? { text: sent } : sent
    const sequence = open.get(this)
    if (/^begin/i.test(text)) open.set(this, { texts: [], values: [] })
    else if (sequence && /^(commit|rollback;)/i.test(text)) {
      if (/^commit/i.test(text)) committed.push(sequence)
      open.delete(this)
    } else if (sequence) {
      sequence.texts.push(text)
      if (Array.isArray(values)) sequence.values.push(...values)
    }
    return Reflect.apply(query, this, args)
  } as never
  t.teardown(() => {
    prototype.query = query
  })
  return () => committed
}

/** Collects the texts of what this process sends to PostgreSQL from now on, and which of them had that project among their values. */
export function watchStatements(t: Scope, project: string) {
  const { prototype } = pg.Client
  const { query } = prototype
  const [sent, ofProject] = [new Set<string>(), new Set<string>()]
  prototype.query = function (this: object, ...args: unknown[]) {
    const [given, others] = args as [Sent, unknown]
    const { text = '', values = others } = typeof given === 'string' ? { text: given } : given
    sent.add(text)
    if (JSON.stringify(values)?.includes(project)) ofProject.add(text)
    return Reflect.apply(query, this, args)
  } as never
  t.teardown(() => {
    prototype.query = query
  })
  return { sent, ofProject }
}
