import t from 'tap'
import { boot } from '../../test/boot.ts'
import { createHot } from '../database/hot.ts'
import { createPrincipals } from './principals.ts'

t.test('an owner acts in the background until it is disabled', async (t) => {
  const { as, platform } = await boot(t, 'agents')
  const { knex } = platform
  await as('ada').key()
  await as('crm', { type: 'service' }).key()
  const { of } = createPrincipals(createHot(knex))

  const ada = await of('default', 'ada')
  t.match(ada, { id: 'ada', type: 'user', project: 'default', owner: 'ada', narrowed: false, credential: '' })
  t.ok(ada?.scopes.has('agents:run'), 'it may what its project may')
  t.match(await of('default', 'crm'), { type: 'service' })
  t.match(
    await of('default', 'customer-7'),
    { type: 'user', owner: 'customer-7' },
    'one for whom a service acts'
  )
  t.equal((await of('nowhere', 'ada'))?.scopes.size, 0)

  await knex('kernel.principal').where({ id: 'ada' }).update({ disabledAt: knex.fn.now() })
  t.equal(await of('default', 'ada'), undefined)
})
