import { notFound } from 'agent-platform'
import { readCatalogue } from '../catalogue.ts'
import type { Plan, Topup } from '../schemas/catalogue.ts'
import type { BillingSettings } from '../settings.ts'
import type { CustomerStore } from '../stores/customers.ts'

export type CatalogueService = ReturnType<typeof createCatalogueService>

interface Deps {
  settings: BillingSettings
  customerStore: CustomerStore
}

/** What is for sale now, and what was once. */
export function createCatalogueService({ settings, customerStore }: Deps) {
  const catalogue = readCatalogue(settings)
  const { plans, packs } = catalogue
  const current = new Map(plans.map((plan) => [plan.id, plan]))
  /** Versions never change; by project and id. */
  const sold = new Map<string, Plan>()

  function plan(key: string): Plan {
    const found = plans.find((it) => it.key === key)
    if (!found) throw notFound('Plan', { param: '/planKey' })
    return found
  }

  function pack(key: string): Topup {
    const found = packs.find((it) => it.key === key)
    if (!found) throw notFound('Pack', { param: '/packKey' })
    return found
  }

  const findIn = (project: string) => (id: string) => current.get(id) ?? sold.get(`${project}/${id}`)

  /** Those of a project that are asked for from now on by id. */
  async function versions(
    project: string,
    wanted: readonly (string | null)[]
  ): Promise<(id: string) => Plan | undefined> {
    const find = findIn(project)
    return wanted.some((id) => id !== null && !find(id)) ? allVersions(project) : find
  }

  /** As they are written down now. */
  async function allVersions(project: string): Promise<(id: string) => Plan | undefined> {
    for (const it of await customerStore.listPlans(project)) sold.set(`${project}/${it.id}`, it)
    return findIn(project)
  }

  return {
    catalogue,
    plan,
    pack,
    versions,
    allVersions,
    defaultPlan: plans.find((it) => it.key === catalogue.defaultPlanKey)
  }
}
