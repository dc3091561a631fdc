import { createHash } from 'node:crypto'
import { canonicalJson } from 'agent-platform'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { creditsOf, microOf } from './amounts.ts'
import type { Catalogue, Plan, Topup } from './schemas/catalogue.ts'
import { GivenPlans, GivenTopups } from './schemas/catalogue.ts'
import type { BillingSettings } from './settings.ts'

type GivenPlan = Omit<Plan, 'id' | Optional> & Partial<Pick<Plan, Optional>>
type Optional = 'description' | 'trialDays' | 'credits' | 'entitlements'

/** What is for sale, by the settings; throws for what it does not understand, so that the pack does not start. */
export function readCatalogue(settings: BillingSettings): Catalogue {
  const plans = parse<GivenPlan>('BILLING_PLANS', settings.plans, GivenPlans).map((given) =>
    versioned<Plan>({
      description: null,
      trialDays: 0,
      entitlements: {},
      ...given,
      credits: creditsOf(microOf(given.credits ?? '0'))
    })
  )
  const packs = parse<Omit<Topup, 'id'>>('BILLING_PACKS', settings.packs, GivenTopups).map((given) =>
    versioned<Topup>({ ...given, credits: creditsOf(microOf(given.credits)) })
  )
  unique('BILLING_PLANS', plans)
  unique('BILLING_PACKS', packs)
  for (const { key, credits, price } of packs)
    if (credits === '0' || price === 0) throw new Error(`BILLING_PACKS: ${key} has no credits, or no price`)
  // Who could have them for nothing would begin anew each day.
  for (const { key, credits, price } of plans)
    if (credits !== '0' && price === 0) throw new Error(`BILLING_PLANS: ${key} has credits, but no price`)
  const { defaultPlan } = settings
  if (defaultPlan !== '' && !plans.some(({ key }) => key === defaultPlan))
    throw new Error(`BILLING_DEFAULT_PLAN: there is no plan ${JSON.stringify(defaultPlan)}`)
  return { plans, packs, defaultPlanKey: defaultPlan || null }
}

/** Other terms are another version: what was bought keeps the terms that it was bought by. */
const versioned = <T extends Plan | Topup>(terms: Omit<T, 'id'>): T => {
  const digest = createHash('sha256').update(canonicalJson(terms)).digest('hex').slice(0, 8)
  return { id: `${(terms as { key: string }).key}@${digest}`, ...terms } as T
}

function parse<T>(name: string, text: string, schema: TSchema): readonly T[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text || '[]')
  } catch {
    throw new Error(`${name} is no JSON`)
  }
  if (Value.Check(schema, parsed)) return parsed as T[]
  const [fault] = Value.Errors(schema, parsed)
  throw new Error(`${name} is wrong at ${fault?.instancePath || '/'}: ${fault?.message ?? ''}`)
}

function unique(name: string, all: readonly { readonly key: string }[]): void {
  const twice = all.find(({ key }, at) => all.findIndex((other) => other.key === key) !== at)
  if (twice) throw new Error(`${name} has ${twice.key} twice`)
}
