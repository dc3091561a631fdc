import type { Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'

export type PriceStore = ReturnType<typeof createPriceStore>

/** What has a price; the latter three are models that draw, speak and hear. */
export type PriceKind = 'model' | 'tool' | 'image' | 'speech' | 'transcription'

/** A version of a price: what a million tokens cost, and what a call does, in millionths of a credit. */
export interface Price {
  readonly project: string
  readonly id: string
  readonly owner: string
  readonly kind: PriceKind
  /** `provider/model`, `provider/*`, a tool's name, or `*`. */
  readonly target: string
  readonly input: bigint
  readonly cached: bigint
  /** Price of input tokens that the provider wrote to its cache. */
  readonly cacheWrite: bigint
  readonly output: bigint
  readonly call: bigint
  /** ISO 8601: from when on it is in force. */
  readonly createdAt: string
}
type Row = { [K in keyof Price]: Price[K] extends bigint ? string : Price[K] } & {
  /** Null: as `input`. */
  cacheWrite: string | null
}

/** As it is read: amounts are texts. */
export const toPrice = ({ input, cached, cacheWrite, output, call, ...row }: Row): Price => ({
  ...row,
  input: BigInt(input),
  cached: BigInt(cached),
  cacheWrite: BigInt(cacheWrite ?? input),
  output: BigInt(output),
  call: BigInt(call)
})

/** Versions of prices, none of which is ever changed. */
export function createPriceStore({ knex }: Pick<Kernel, 'knex'>) {
  const columns = [
    'project',
    'id',
    'owner',
    'kind',
    'target',
    'input',
    'cached',
    'cacheWrite',
    'output',
    'call',
    'createdAt'
  ] as const

  /** All versions, the latest first. */
  async function list(project: string, on: Kernel['knex'] | Trx = knex): Promise<readonly Price[]> {
    const rows = await on('credits.price')
      .where({ project })
      .orderBy('createdAt', 'desc')
      .select(...columns)
    return rows.map(toPrice)
  }

  return {
    list,

    async insert(trx: Trx, price: Omit<Price, 'id' | 'createdAt'>): Promise<Price> {
      const { input, cached, cacheWrite, output, call, ...row } = price
      const amounts = {
        input: String(input),
        cached: String(cached),
        cacheWrite: String(cacheWrite),
        output: String(output),
        call: String(call)
      }
      const [made] = await trx('credits.price')
        .insert({ ...row, ...amounts, id: newId('price') })
        .returning([...columns])
      return toPrice(made)
    }
  }
}
