import type { Narrowing } from '../grants/permit.ts'

/** What is known of a capability beside its name. */
export interface CatalogueEntry {
  readonly title: string
  readonly description: string
  readonly risk: 'low' | 'medium' | 'high'
  /** What a person agrees to, in plain words. */
  readonly reaches: string
  readonly narrows?: Narrowing
  /** JSON Schema. */
  readonly params: object
  readonly result?: object
}
