import t from 'tap'
import { packText } from '../pack-folders.ts'
import { fixtures, stage, until, workshop } from './stage.ts'

t.test('contributions come in order, then by pack and key, whatever was loaded first', async (t) => {
  const { admin, as } = await stage(t, ['letters', 'stamp'])
  const sent = async () => (await as('ada').post('/v1/letters', { text: 'dear' })).body.data.text
  const alone = 'dear stamp:early stamp:a stamp:b stamp:late'
  const both = 'dear stamp:early seal stamp:a stamp:b stamp:late'
  t.equal(await sent(), alone)
  await admin.put('/v1/packs/seal', { enabled: true })
  t.equal(await sent(), both, 'looked up at each use')
  await admin.post('/v1/packs/stamp/reload')
  await admin.post('/v1/packs/seal/reload')
  t.equal(await sent(), both, 'a reload reorders nothing')
  await admin.put('/v1/packs/stamp', { enabled: false })
  t.equal(await sent(), 'dear seal')
})

t.test('a contribution is inert while the owner of the point is off', async (t) => {
  const { folder, write } = await workshop(t)
  await write('asker', {
    'pack.ts': packText(
      'asker',
      `routes(app, { points }) {
        app.get('/asker', async () => ({ data: points.all('letters.stamp').map(({ pack, key }) => [pack, key ?? null]) }))
      }`
    )
  })
  const { admin, as } = await stage(t, ['stamp', 'asker'], { folders: [fixtures, folder] })
  const found = async () => (await as('ada').get('/v1/asker')).body.data
  t.match((await admin.get('/v1/packs/stamp')).body.data, { status: 'running' })
  t.same(await found(), [])
  await admin.put('/v1/packs/letters', { enabled: true })
  t.same(await found(), [
    ['stamp', null],
    ['stamp', 'a'],
    ['stamp', 'b'],
    ['stamp', null]
  ])
  await admin.put('/v1/packs/letters', { enabled: false })
  t.same(await found(), [])
})

t.test(
  'one provider: by key, else the project’s choice, else the deployment’s, else the first',
  async (t) => {
    const { admin, as } = await stage(t, ['letters', 'stamp', 'seal'], {
      deployment: { choices: { 'letters.carrier': 'stamp' } }
    })
    const ada = as('ada')
    const eve = as('eve', { project: 'other' })
    const carrier = async (who = ada, query = '') => {
      const { body } = await who.get(`/v1/letters/carrier${query}`)
      return body.data?.name ?? body.error.code
    }
    t.equal(await carrier(), 'the carrier of stamp', 'the deployment’s')
    t.equal(await carrier(ada, '?key=seal'), 'the carrier of seal', 'by key')
    t.equal(await carrier(ada, '?key=nobody'), 'capability_missing')

    t.match(await ada.put('/v1/letters/carrier', { key: 'seal' }), {
      body: { data: { name: 'the carrier of seal' } }
    })
    t.equal(await carrier(), 'the carrier of seal', 'the project’s')
    t.equal(await carrier(eve), 'the carrier of stamp', 'of that project alone')
    await admin.put('/v1/packs/seal', { enabled: false })
    t.match(await ada.get('/v1/letters/carrier'), {
      status: 503,
      body: { error: { type: 'service_unavailable', code: 'capability_missing' } }
    })
    await admin.put('/v1/packs/seal', { enabled: true })
    t.equal(await carrier(), 'the carrier of seal', 'a choice outlives the pack that was chosen')
    t.match(
      await ada.put('/v1/letters/carrier', {}),
      { body: { data: { name: 'the carrier of stamp' } } },
      'reset'
    )
  }
)

t.test('without any choice it is the first', async (t) => {
  const { as } = await stage(t, ['letters', 'stamp', 'seal'])
  t.match(await as('ada').get('/v1/letters/carrier'), { body: { data: { name: 'the carrier of seal' } } })
})

t.test('a choice is heard by the other instances', async (t) => {
  const packs = ['letters', 'stamp', 'seal']
  const first = await stage(t, packs)
  const second = await stage(t, packs, { beside: first })
  const elsewhere = async () => (await second.as('eve').get('/v1/letters/carrier')).body.data.name
  t.equal(await elsewhere(), 'the carrier of seal')
  await first.as('ada').put('/v1/letters/carrier', { key: 'stamp' })
  t.equal(await until(elsewhere, (name) => name !== 'the carrier of seal'), 'the carrier of stamp')
})
