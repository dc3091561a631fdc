import { defineApp } from 'agent-platform-app'
import * as Type from 'typebox'
import { ibanProblem } from './iban.ts'
import { amount, ratesOf, totalsOf } from './totals.ts'
import { vatIdProblem } from './vat-id.ts'

const Amount = Type.Number({ description: 'In the currency of the invoice' })
const Stated = Type.Object(
  { net: Type.Optional(Amount), tax: Type.Optional(Amount), gross: Type.Optional(Amount) },
  { description: 'Totals as the invoice states them' }
)

const Line = Type.Object({
  description: Type.Optional(Type.String()),
  quantity: Type.Number({ minimum: -1e6, maximum: 1e6, description: 'At most 4 decimals' }),
  unitPrice: Type.Number({ minimum: -1e9, maximum: 1e9, description: 'Without tax, at most 4 decimals' }),
  taxRate: Type.Number({ minimum: 0, maximum: 100, description: 'In percent, such as 19' }),
  net: Type.Optional(Amount)
})

const Invoice = Type.Object({
  vatId: Type.Optional(Type.String({ maxLength: 40, description: 'Of the supplier, such as DE136695976' })),
  iban: Type.Optional(Type.String({ maxLength: 60, description: 'The account to which it is to be paid' })),
  lines: Type.Array(Line, { minItems: 1, maxItems: 500 }),
  totals: Type.Optional(Stated)
})

const Check = Type.Object({
  ok: Type.Boolean(),
  problems: Type.Array(Type.Object({ at: Type.String(), message: Type.String() })),
  totals: Type.Object({
    net: Amount,
    tax: Amount,
    gross: Amount,
    rates: Type.Array(Type.Object({ rate: Type.Number(), net: Amount, tax: Amount }))
  })
})

/** Models read invoices well and calculate badly: the numbers of an invoice are checked here. */
export default defineApp({
  manifest: {
    id: 'invoice-check',
    name: 'Invoice check',
    version: '1.0.0',
    description:
      'Checks the sums, the VAT number and the IBAN of an invoice. It reaches nothing and keeps nothing.',
    functions: [
      {
        name: 'check',
        title: 'Check an invoice',
        description:
          'Calculates the totals of an invoice from its lines, and says where they differ from what the invoice states, and ' +
          'whether its VAT number and IBAN are well-formed. Call it with each invoice before you say that it is right, and ' +
          'never add up yourself.',
        input: Invoice,
        output: Check,
        tool: true,
        idempotent: true
      }
    ],
    limits: { cpuMs: 100, wallMs: 1_000, memoryMb: 16 }
  },
  functions: {
    check({ vatId, iban, lines, totals: stated = {} }) {
      const { nets, ...totals } = totalsOf(lines)
      const problems: { at: string; message: string }[] = []
      const tell = (at: string, message: string | undefined) => message && problems.push({ at, message })
      const compare = (at: string, said: number | undefined, is: number) => {
        if (said !== undefined && said !== is) tell(at, `${amount(said)}, and should be ${amount(is)}`)
      }

      if (vatId !== undefined) tell('vatId', vatIdProblem(vatId))
      if (iban !== undefined) tell('iban', ibanProblem(iban))
      for (const [at, { net }] of lines.entries()) compare(`lines[${at}].net`, net, nets[at] ?? 0)
      for (const name of ['net', 'tax', 'gross'] as const)
        compare(`totals.${name}`, stated[name], totals[name])
      return { ok: problems.length === 0, problems, totals: { ...totals, rates: ratesOf(lines) } }
    }
  }
})
