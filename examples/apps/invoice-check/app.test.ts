import { testApp } from 'agent-platform-app/testing'
import t from 'tap'

const app = await testApp(import.meta.dirname)
const lines = [
  { description: 'Paper', quantity: 3, unitPrice: 4.35, taxRate: 19 },
  { description: 'Books', quantity: 2, unitPrice: 12.5, taxRate: 7 },
  { description: 'Pens', quantity: 10, unitPrice: 0.335, taxRate: 19 }
]
const check = (invoice: object) => app.call('check', { lines, ...invoice })

t.test('what an invoice states is held against its lines', async (t) => {
  const totals = { net: 41.4, tax: 4.87, gross: 46.27 }
  t.same(await check({ totals }), {
    ok: true,
    problems: [],
    totals: {
      ...totals,
      rates: [
        { rate: 19, net: 16.4, tax: 3.12 },
        { rate: 7, net: 25, tax: 1.75 }
      ]
    }
  })
  t.match(await check({ totals: { gross: 46.28 }, lines: [{ ...lines[0], net: 13 }, ...lines.slice(1)] }), {
    ok: false,
    problems: [
      { at: 'lines[0].net', message: '13.00, and should be 13.05' },
      { at: 'totals.gross', message: '46.28, and should be 46.27' }
    ]
  })
})

t.test('cents are exact, of credit notes too', async (t) => {
  const one = async (quantity: number, unitPrice: number) => {
    const { totals } = (await check({ lines: [{ quantity, unitPrice, taxRate: 0 }] })) as {
      totals: { net: number }
    }
    return totals.net
  }
  t.equal(await one(1, 1.005), 1.01)
  t.equal(await one(-1, 1.005), -1.01)
  t.equal(await one(3, 0.1), 0.3)
  t.equal(await one(999_999, 999_999.99), 999_998_990_000.01)
})

t.test('numbers with typing errors are found', async (t) => {
  for (const iban of ['DE89 3704 0044 0532 0130 00', 'gb82west12345698765432', 'NL91ABNA0417164300'])
    t.match(await check({ iban }), { ok: true }, iban)
  for (const vatId of [
    'DE136695976',
    'FR 40 303 265 045',
    'BE0428.759.497',
    'LU15027442',
    'IT00743110157',
    'ATU13585627'
  ])
    t.match(await check({ vatId }), { ok: true }, vatId)
  for (const [field, value, message] of [
    ['iban', 'DE89 3704 0044 0532 0130 01', /check digits/],
    ['iban', 'DE89 3704 0044 0532 0130', /20 characters/],
    ['iban', 'my account', /no IBAN/],
    ['vatId', 'DE136695967', /check digits/],
    ['vatId', 'FR41303265045', /check digits/],
    ['vatId', 'BE0428759498', /check digits/],
    ['vatId', 'LU15027443', /check digits/],
    ['vatId', 'IT00743110158', /check digits/],
    ['vatId', 'AT13585627', /not written as/],
    ['vatId', 'US123', /no country/]
  ] as const)
    t.match(await check({ [field]: value }), { ok: false, problems: [{ at: field, message }] }, value)
})

t.test('what is no invoice is refused before the code runs', async (t) => {
  await t.rejects(check({ lines: [] }), { code: 'invalid_request_error' })
  await t.rejects(check({ lines: [{ quantity: '1', unitPrice: 1, taxRate: 0 }] }), {
    code: 'invalid_request_error'
  })
})
