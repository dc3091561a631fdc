import type { Principal } from 'agent-platform'
import { createFlagService } from '../../../plugins/flags/service.ts'
import { median } from '../rounds.ts'
import type { Measure } from '../row.ts'

const FLAGS = 200
const TIMES = 20_000

const flagOf = (n: number) => ({
  state: 'ENABLED',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  targeting: {
    if: [
      { and: [{ '==': [{ var: 'project' }, `project-${n}`] }, { in: [{ var: 'owner' }, ['ada', 'eve']] }] },
      'on',
      {
        fractional: [
          ['on', 25],
          ['off', 75]
        ]
      }
    ]
  }
})

/** A flag with targeting and a percentage among many, by the service that packs call. */
export const measure: Measure = async (_scope, quick) => {
  const flags = Object.fromEntries(Array.from({ length: FLAGS }, (_, n) => [`flag-${n}`, flagOf(n)]))
  const known = new Map<string, Promise<unknown>>()
  const service = createFlagService({
    settings: { definitions: JSON.stringify({ flags }) },
    flagStore: { list: async () => [] } as never,
    transaction: undefined as never,
    facts: undefined as never,
    remembered: (_topic, load) => ({
      of: (key) => (known.get(key) ?? known.set(key, load(key)).get(key)) as never,
      changed: () => known.clear(),
      [Symbol.dispose]: () => undefined
    })
  })
  const people = Array.from({ length: 100 }, (_, n) => ({
    id: `p${n}`,
    owner: `p${n}`,
    type: 'user',
    project: 'default'
  }))
  const times: number[] = []
  for (let round = 0; round < (quick ? 5 : 9); round++) {
    const begun = performance.now()
    for (let n = 0; n < TIMES; n++)
      await service.evaluate(people[n % 100] as Principal & object as never, `flag-${n % FLAGS}`)
    times.push(((performance.now() - begun) / TIMES) * 1_000)
  }
  const micros = median(times)
  return [
    {
      what: `a flag with targeting and a percentage evaluated, among ${FLAGS}`,
      reach: '≤ 20 µs',
      measured: `${micros.toFixed(1)} µs`,
      met: micros <= 20
    }
  ]
}
