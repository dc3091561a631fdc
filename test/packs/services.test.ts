import t from 'tap'
import { packText } from '../pack-folders.ts'
import { fixtures, lastChange, stage, statusOf, workshop } from './stage.ts'

t.test('a pack asks one that must be on, and one that may be', async (t) => {
  const { admin, as, settled } = await stage(t, ['letters', 'mirror'])
  const ada = as('ada')
  const { body } = await ada.post('/v1/letters', { text: 'dear' })
  const mirror = `/v1/mirror/${body.data.id}`
  t.match(await ada.get(mirror), { body: { data: { text: 'dear', counted: null } } }, 'undefined while off')

  await admin.put('/v1/packs/tally', { enabled: true })
  const next = (await ada.post('/v1/letters', { text: 'dearest' })).body.data.id
  await settled()
  t.match(await ada.get(`/v1/mirror/${next}`), { body: { data: { counted: 1 } } }, 'and there while it is on')
  await admin.put('/v1/packs/tally', { enabled: false })
  t.match(await ada.get(mirror), { body: { data: { counted: null } } })
  t.match(
    await as('eve').get(mirror),
    { status: 403, body: { error: { code: 'not_owner' } } },
    'what it throws'
  )
  t.match(await ada.get('/v1/mirror/letter_nope'), { status: 404, body: { error: { type: 'not_found' } } })
})

t.test('what is required cannot be switched off, nor left off', async (t) => {
  const { admin, as } = await stage(t, ['letters', 'mirror'])
  t.match(await admin.put('/v1/packs/letters', { enabled: false }), {
    status: 409,
    body: { error: { message: 'mirror: requirements: requires letters, which is not there' } }
  })
  t.match(await lastChange(admin, 'letters'), { action: 'disabled', outcome: 'refused' })
  t.match(await statusOf(admin, 'letters'), { status: 'running', enabled: { value: true } })
  t.match(await as('ada').post('/v1/letters', { text: 'dear' }), { status: 201 })

  t.match(await admin.put('/v1/packs/mirror', { enabled: false }), { status: 200 })
  t.match(await admin.put('/v1/packs/letters', { enabled: false }), { status: 200 })
  t.match(await admin.put('/v1/packs/mirror', { enabled: true }), {
    status: 409,
    body: { error: { message: /requires letters, which is not there/ } }
  })
})

t.test('a pack is built after all that it requires and uses, whatever their names', async (t) => {
  const { folder, write } = await workshop(t)
  const speaks = (name: string, requires: string[], uses: string[], says: string) => ({
    'pack.ts': packText(
      name,
      `requires: ${JSON.stringify(requires)}, uses: ${JSON.stringify(uses)},
       exports: (deps) => ({ say: () => ${says} }),
       routes(app, deps) { app.get('/${name}', async () => ({ data: ${says} })) },`
    )
  })
  await write('a', speaks('a', ['m'], ['z'], `'a' + deps.m.say() + deps.z.say()`))
  await write('m', speaks('m', [], ['z'], `'m' + deps.z.say()`))
  await write('z', speaks('z', [], [], `'z'`))
  const { as } = await stage(t, ['a', 'm', 'z'], { folders: [folder] })
  t.match(await as('ada').get('/v1/a'), { body: { data: 'amzz' } })
})

t.test('a reload of a service reaches those who use it', async (t) => {
  const { folder, write } = await workshop(t)
  const speaker = (word: string) => ({
    'pack.ts': packText('speaker', `exports: () => ({ say: () => '${word}' })`)
  })
  await write('speaker', speaker('old'))
  await write('listener', {
    'pack.ts': packText(
      'listener',
      `requires: ['speaker'],
       routes(app, { speaker }) { app.get('/listener', async () => ({ data: speaker.say() })) }`
    )
  })
  const { admin, as } = await stage(t, ['speaker', 'listener'], { folders: [folder] })
  t.match(await as('ada').get('/v1/listener'), { body: { data: 'old' } })
  await write('speaker', speaker('new'))
  await admin.post('/v1/packs/speaker/reload')
  t.match(await as('ada').get('/v1/listener'), { body: { data: 'new' } })
})

t.test('failures are told apart by what they say of themselves, not by their class', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', {
    'pack.ts': packText(
      'lantern',
      `routes(app) {
        app.get('/lantern', async () => { throw Object.assign(new Error('No oil'), { kind: 'conflict', code: 'empty' }) })
        app.get('/lantern/bug', async () => { throw new Error('no oil in /var/lib/lantern') })
      }`
    )
  })
  const { as } = await stage(t, ['lantern'], { folders: [fixtures, folder] })
  t.match(await as('ada').get('/v1/lantern'), {
    status: 409,
    body: { error: { type: 'conflict_error', code: 'empty', message: 'No oil' } }
  })
  const bug = await as('ada').get('/v1/lantern/bug')
  t.match(bug, { status: 500, body: { error: { type: 'api_error' } } })
  t.notMatch(bug.text, 'oil')
})
