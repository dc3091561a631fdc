// budget: 20 s, because a browser walks through pages of a platform with all its packs
// tier: whole
import t from 'tap'
import { PACKS, PLANS } from '../../plugins/billing/test/testbed.ts'
import { look, skip, stage } from './testbed.ts'

t.test('a person chooses a plan, and an operator marks its invoice as paid', { skip }, async (t) => {
  const { booted, open } = await stage(t, {
    env: {
      BILLING_PLANS: JSON.stringify(PLANS),
      BILLING_PACKS: JSON.stringify(PACKS),
      BILLING_DEFAULT_PLAN: 'free'
    }
  })
  const ada = booted.as('ada')
  const tab = await open(ada, '/billing')
  const { page } = tab
  await page.getByText('Plan free is for everyone').waitFor()
  await page.getByRole('button', { name: 'Choose Plan pro' }).click()
  await page.getByText('when an operator of this platform marks the invoice as paid').waitFor()
  await look(t, tab, 'billing plans')

  const operating = await open(booted.admin, '/billing?tab=operator')
  await operating.page.getByRole('cell', { name: 'ada', exact: true }).waitFor()
  await look(t, operating, 'billing operator')
  await operating.page.getByRole('button', { name: 'Mark as paid: Plan pro of ada' }).click()
  await operating.page.getByText('No invoice is open').waitFor()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByText('is paid').first().waitFor()
  await page.getByRole('button', { name: 'Cancel plan' }).waitFor()
  await page.getByRole('tab', { name: 'Invoices' }).click()
  await page.getByRole('table', { name: 'Invoices' }).getByText('paid').waitFor()
  await look(t, tab, 'billing invoices')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('tab', { name: 'Buy credits' }).click()
  await page.getByRole('button', { name: /^Buy for .*: 50 credits/ }).click()
  await page.getByText('50 credits: ').waitFor()
  await page.getByRole('tab', { name: 'Payment methods' }).click()
  await page.getByText('None is saved').waitFor()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('button', { name: 'Keep the plan' }).waitFor()
  await look(t, tab, 'billing methods')
})
