// budget: 5 s, because people with passwords that are hashed slowly join and leave projects
import t from 'tap'
import { lockName } from '../../../kernel/contract/pack.ts'
import { createClient } from '../../../test/client.ts'
import { accept, clientOf, identityOf, personOf, refresh, runJob, signedIn, tokensOf } from './testbed.ts'

const ID = { project: 'project_01k4qz0000e0080000000000ab', member: 'member_01k4qz0000e0080000000000ab' }

t.test('projects of people', async (t) => {
  const identity = await identityOf(t, { env: { IDENTITY_SIGN_INS_PER_MINUTE: '100' } })
  const { as, url, admin, anyone } = identity
  const ada = await signedIn(identity, 'ada@example.com')
  const eve = await signedIn(identity, 'eve@example.com')
  const made = await ada.client.post('/v1/projects', { name: 'Shop', environment: 'test' })
  const { id } = made.body.data
  const path = `/v1/projects/${id}`

  t.test('are made, listed and read', async (t) => {
    t.match(made, {
      status: 201,
      body: { data: { id: /^project_/, name: 'Shop', environment: 'test', role: 'owner' } }
    })
    t.match(await ada.client.get('/v1/projects?limit=1'), {
      status: 200,
      body: { data: [{ id, role: 'owner' }], nextCursor: /./ }
    })
    const { body } = await ada.client.get('/v1/projects')
    t.strictSame(
      body.data.map(({ name }: { name: string }) => name),
      ['Shop', 'Project of ada']
    )
    t.match(await ada.client.get(path), { status: 200, body: { data: { id, name: 'Shop' } } })
  })

  t.test('are for people who signed in and belong to them', async (t) => {
    t.match(await eve.client.get(path), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await ada.client.get(`/v1/projects/${ID.project}`), { status: 404 })
    t.match(await anyone.get(path), { status: 401 })
    t.match(await as('bob').get('/v1/projects'), {
      status: 403,
      body: { error: { code: 'person_required' } }
    })
    t.match(await as('crm', { type: 'service' }).get('/v1/projects'), { status: 403 })
    t.match(await admin.get('/v1/projects'), { status: 403 })
    for (const [body, param] of [
      [{}, '/name'],
      [{ name: '' }, '/name'],
      [{ name: 'a', environment: 'staging' }, '/environment'],
      [{ name: 'a', owner: 'eve' }, '/owner']
    ] as const)
      t.match(await ada.client.post('/v1/projects', body), { status: 400, body: { error: { param } } })
  })

  t.test('have keys of their environment, shown once, which act in the project alone', async (t) => {
    const mine = await ada.client.post(`${path}/keys`, { name: 'laptop' })
    t.match(mine, {
      status: 201,
      body: { data: { key: /^ap_test_/, principalId: ada.id, type: 'user', createdBy: ada.id } }
    })
    const { key, id: keyId } = mine.body.data
    const holder = createClient(url, 'ada', key)
    t.match(await holder.get('/v1/auth/me'), { body: { data: { principalId: ada.id, project: id } } })
    t.match(await holder.get('/v1/projects'), { status: 403, body: { error: { code: 'person_required' } } })
    const service = await ada.client.post(`${path}/keys`, {
      name: 'ci',
      type: 'service',
      scopes: ['agents:read']
    })
    t.match(service.body.data, { principalId: /^svc_/, type: 'service', scopes: ['agents:read'] })
    const listed = await ada.client.get(`${path}/keys`)
    t.match(listed.body.data, [{ name: 'ci' }, { name: 'laptop', prefix: /^ap_test_/ }])
    t.notOk(listed.text.includes(key))
    t.match(await ada.client.get(`${path}/keys?limit=1`), {
      body: { data: [{ name: 'ci' }], nextCursor: /./ }
    })
    for (const [body, param] of [
      [{ name: 'a', scopes: ['everything'] }, '/scopes'],
      [{ name: 'a', scopes: ['platform:admin'] }, '/scopes'],
      [{ name: 'a', type: 'agent' }, '/type'],
      [{}, '/name']
    ] as const)
      t.match(await ada.client.post(`${path}/keys`, body), { status: 400, body: { error: { param } } })
    t.match(await eve.client.get(`${path}/keys`), { status: 403 })
    t.match(await eve.client.delete(`${path}/keys/${keyId}`), { status: 403 })
    t.match(await ada.client.delete(`${path}/keys/${keyId}`), {
      status: 200,
      body: { data: { id: keyId, deleted: true } }
    })
    t.match(await holder.get('/v1/auth/me'), { status: 401 })
    t.match(await ada.client.delete(`${path}/keys/${keyId}`), { status: 404 })
    const other = `/v1/projects/${ada.project}/keys/${service.body.data.id}`
    t.match(await ada.client.delete(other), { status: 404 }, 'under another project there is no such key')
  })

  t.test('have members by invitation', async (t) => {
    const invited = await ada.client.post(`${path}/invitations`, { email: 'EVE@example.com' })
    t.match(invited, {
      status: 201,
      body: { data: { email: 'eve@example.com', role: 'member', url: /\/identity\/invitations\// } }
    })
    const { url: link } = invited.body.data
    t.notOk((await ada.client.get(`${path}/invitations`)).text.includes(link.split('.').at(-1)))
    const withdrawn = await ada.client.post(`${path}/invitations`, {
      email: 'gus@example.com',
      role: 'owner'
    })
    const gone = `${path}/invitations/${withdrawn.body.data.id}`
    t.match(await eve.client.delete(gone), { status: 403 })
    t.match(await ada.client.delete(gone), { status: 200 })
    t.match(await ada.client.delete(gone), { status: 404 })
    t.equal((await fetch(withdrawn.body.data.url)).status, 404)
    t.match(await ada.client.post(`${path}/invitations`, { email: 'nobody' }), {
      status: 400,
      body: { error: { param: '/email' } }
    })
    await accept(identity, link, 'eve@example.com')
    t.equal((await fetch(link)).status, 404, 'it is good once')
    const { body } = await eve.client.get(`${path}/members`)
    t.match(body.data, [
      { personId: eve.id, role: 'member', email: 'eve@example.com' },
      { personId: ada.id, role: 'owner' }
    ])
    t.match(await eve.client.get(path), { status: 200, body: { data: { role: 'member' } } })
    t.match(await eve.client.post(`${path}/invitations`, { email: 'x@example.com' }), { status: 403 })
    t.match(await eve.client.post(`${path}/keys`, { name: 'all', type: 'service' }), { status: 403 })
    t.match(await eve.client.post(`${path}/keys`, { name: 'hers' }), { status: 201 })
  })

  t.test('keep an owner, change roles, and end what a removed member has', async (t) => {
    const { body } = await ada.client.get(`${path}/members`)
    const [hers, his] = body.data
    const change = (client: typeof ada.client, memberId: string, role: string, version?: number) =>
      client.put(
        `${path}/members/${memberId}`,
        { role },
        version === undefined ? {} : { 'if-match': `"${version}"` }
      )
    t.match(await change(ada.client, his.id, 'member'), {
      status: 409,
      body: { error: { code: 'last_owner' } }
    })
    t.match(await ada.client.delete(`${path}/members/${his.id}`), { status: 409 })
    t.match(await change(eve.client, hers.id, 'owner'), { status: 403 })
    t.match(await change(ada.client, ID.member, 'owner'), { status: 404 })
    t.match(await change(ada.client, hers.id, 'boss'), { status: 400, body: { error: { param: '/role' } } })
    t.match(await change(ada.client, hers.id, 'owner', 7), { status: 412 })
    t.match(await change(ada.client, hers.id, 'owner', 1), {
      status: 200,
      body: { data: { role: 'owner', version: 2 } }
    })
    const both = await Promise.all([
      change(ada.client, his.id, 'member'),
      change(eve.client, hers.id, 'member')
    ])
    t.strictSame(
      both.map(({ status }) => status).sort(),
      [200, 409],
      'two owners who leave at once leave one'
    )
    const owner = both[0].status === 200 ? eve : ada
    const [leaving, leaver] = owner === eve ? [his, ada] : [hers, eve]
    const tokens = await tokensOf(identity, owner === eve ? 'ada@example.com' : 'eve@example.com', {
      project: id
    })
    const spare = await tokensOf(identity, leaving.email, { project: id })
    const inside = clientOf(identity, tokens)
    const { body: key } = await inside.post(`${path}/keys`, { name: 'mine' })
    t.match(await inside.get('/v1/auth/me'), { status: 200, body: { data: { project: id } } })
    t.match(await owner.client.delete(`${path}/members/${leaving.id}`), { status: 200 })
    t.match(await inside.get('/v1/auth/me'), { status: 401 }, 'the token is good for nothing')
    t.match(
      await createClient(url, 'left', key.data.key).get('/v1/auth/me'),
      { status: 401 },
      'nor is the key'
    )
    t.match(await refresh(identity, tokens.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
    t.match(await leaver.client.get('/v1/auth/me'), { status: 200 }, 'in another project it goes on')
    t.match(await leaver.client.get(path), { status: 403 })
    const again = await owner.client.post(`${path}/invitations`, { email: leaving.email })
    await accept(identity, again.body.data.url, leaving.email)
    t.match(await leaver.client.get(path), { status: 200 })
    t.match(
      await createClient(url, 'left', key.data.key).get('/v1/auth/me'),
      { status: 401 },
      'keys do not come back'
    )
    t.match(await refresh(identity, spare.refresh_token), { status: 400 }, 'nor does a refresh token')
  })

  t.test('what is begun as a member and ends as none is not done', async (t) => {
    const { knex } = identity.platform
    const fay = await signedIn(identity, 'kim@example.com')
    const gil = await signedIn(identity, 'gil@example.com')
    const { body } = await fay.client.post('/v1/projects', { name: 'Race' })
    const [project, own] = [body.data.id, `/v1/projects/${body.data.id}`]
    const join = await fay.client.post(`${own}/invitations`, { email: 'gil@example.com', role: 'owner' })
    await accept(identity, join.body.data.url, 'gil@example.com')
    const [{ id: member }] = (await fay.client.get(`${own}/members`)).body.data
    const his = await gil.client.post(`${own}/invitations`, { email: 'x@example.com' })
    const hers = await fay.client.post(`${own}/invitations`, { email: 'y@example.com' })
    const waiting = async (count: number) => {
      const { rows } = await knex.raw(
        `select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
         where datname = current_database() and locktype = 'advisory' and not granted`
      )
      if (rows.length < count) await waiting(count)
    }
    // Whoever changes members holds this.
    const { promise: go, resolve: release } = Promise.withResolvers<void>()
    const held = knex.transaction(async (trx) => {
      await lockName(trx, 'identity.member', project)
      await go
      await trx('identity.member').where({ project, id: member }).update({ role: 'member' })
    })
    const begun = [
      gil.client.post(`${own}/keys`, { name: 'late', type: 'service' }),
      gil.client.post(`${own}/invitations`, { email: 'z@example.com' })
    ]
    await waiting(begun.length)
    release()
    await held
    for (const reply of begun) t.match(await reply, { status: 403, body: { error: { code: 'not_owner' } } })
    t.same(await knex('identity.project_key').where({ project }), [])

    const hal = await signedIn(identity, 'hal@example.com')
    const asked = await fay.client.post(`${own}/invitations`, { email: 'hal@example.com' })
    const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>()
    const disabling = knex.transaction(async (trx) => {
      await lockName(trx, 'identity.member', project)
      await goOn
      await trx('identity.person').where({ id: hal.id }).update({ disabledAt: new Date() })
    })
    const accepting = accept(identity, asked.body.data.url, 'hal@example.com')
    await waiting(1)
    letGo()
    await disabling
    await t.rejects(accepting, 'who was disabled meanwhile is let into nothing')
    t.same(await knex('identity.member').where({ project, owner: hal.id }), [])

    await knex('identity.member').where({ project, id: member }).update({ role: 'owner' })
    const demoted = await fay.client.put(`${own}/members/${member}`, { role: 'member' })
    t.equal(demoted.status, 200)
    t.equal((await fetch(his.body.data.url)).status, 404, 'what a former owner has sent is good for nothing')
    t.equal((await fetch(hers.body.data.url)).status, 200)
    const link = await admin.post('/v1/people/invitations', { email: 'w@example.com', projectId: project })
    t.match(await admin.post(`/v1/people/${fay.id}/disable`), { status: 200 })
    t.equal((await fetch(hers.body.data.url)).status, 404, 'nor what a disabled person has')
    t.equal((await fetch(link.body.data.url)).status, 200, 'but what others have')
  })

  t.test('are renamed, and closed for everybody', async (t) => {
    const fay = await signedIn(identity, 'fay@example.com')
    const { body } = await fay.client.post('/v1/projects', { name: 'Old' })
    const own = `/v1/projects/${body.data.id}`
    t.match(await fay.client.put(own, { name: 'New' }), {
      status: 200,
      body: { data: { name: 'New', role: 'owner' } }
    })
    t.match(await fay.client.put(own, { name: '' }), { status: 400, body: { error: { param: '/name' } } })
    t.match(await fay.client.put(`/v1/projects/${ID.project}`, { name: 'New' }), { status: 404 })
    t.match(await ada.client.put(own, { name: 'Mine' }), { status: 403 })
    const { body: invited } = await fay.client.post(`${own}/invitations`, { email: 'eve@example.com' })
    await accept(identity, invited.data.url, 'eve@example.com')
    t.match(await eve.client.put(own, { name: 'Hers' }), { status: 403 }, 'a member does not')
    t.match(await eve.client.delete(own), { status: 403 })
    t.match(await ada.client.delete(own), { status: 403 })
    t.match(await fay.client.delete(`/v1/projects/${ID.project}`), { status: 404 })
    const { body: open } = await fay.client.post(`${own}/invitations`, { email: 'gus@example.com' })
    const key = await fay.client.post(`${own}/keys`, { name: 'ci', type: 'service' })
    const service = createClient(url, 'ci', key.body.data.key)
    const inside = clientOf(identity, await tokensOf(identity, 'eve@example.com', { project: body.data.id }))
    const agent = await inside.agent()
    t.match(await service.get('/v1/auth/me'), { status: 200 })
    t.match(await fay.client.delete(own), { status: 200, body: { data: { deleted: true } } })
    for (const client of [service, inside]) t.match(await client.get('/v1/auth/me'), { status: 401 })
    t.match(await fay.client.get(own), { status: 404 })
    t.match(await fay.client.delete(own), { status: 404 })
    t.equal((await fetch(open.data.url)).status, 404)
    t.match(await fay.client.get('/v1/auth/me'), { status: 200 }, 'in another project it goes on')
    t.match(await identity.platform.knex('agents.agent').where({ id: agent.id }), [{ id: agent.id }])
    t.match(
      await admin.post('/v1/people/invitations', {
        email: 'fay@example.com',
        projectId: body.data.id,
        role: 'member'
      }),
      { status: 409, body: { error: { code: 'project_closed' } } }
    )
    const { body: back } = await admin.post('/v1/people/invitations', {
      email: 'fay@example.com',
      projectId: body.data.id
    })
    await accept(identity, back.data.url, 'fay@example.com')
    t.match(
      await fay.client.get(own),
      { status: 200, body: { data: { role: 'owner' } } },
      'an operator reopens it'
    )
    const { body: kept } = await fay.client.get(`${own}/keys`)
    t.match(kept.data, [{ name: 'ci', revokedAt: /./ }])
    const { body: home } = await admin.post('/v1/people/invitations', {
      email: 'fay@example.com',
      projectId: 'default'
    })
    await accept(identity, home.data.url, 'fay@example.com')
    t.match(await fay.client.delete('/v1/projects/default'), {
      status: 409,
      body: { error: { code: 'operators_project' } }
    })
  })

  t.test('what happened is told, without secrets', async (t) => {
    const facts = await identity.platform.knex('kernel.fact').where('name', 'like', 'identity.%')
    const names = new Set(facts.map(({ name }: { name: string }) => name))
    for (const name of [
      'person_created',
      'person_invited',
      'invitation_withdrawn',
      'project_created',
      'project_renamed',
      'project_deleted',
      'member_added',
      'member_changed',
      'member_removed',
      'access_ended',
      'key_created',
      'key_revoked'
    ])
      t.ok(names.has(`identity.${name}`), name)
    t.notMatch(JSON.stringify(facts), /ap_test_[0-9A-Za-z]{20}|argon2|invitation_[0-9a-z]{26}\./)
  })
})

t.test('people, for operators', async (t) => {
  const identity = await identityOf(t)
  const { admin, as } = identity
  await personOf(identity, 'ada@example.com', { isOperator: true })
  const tokens = await tokensOf(identity, 'ada@example.com')
  t.match(tokens.scope, /platform:admin/)
  const ada = clientOf(identity, tokens)
  t.match(await ada.get('/v1/people'), {
    status: 200,
    body: { data: [{ email: 'ada@example.com', isOperator: true }] }
  })
  const { body } = await ada.get('/v1/people')
  t.notMatch(JSON.stringify(body), /argon2/)
  const { id } = body.data[0]
  t.match(await admin.get(`/v1/people/${id}`), { status: 200, body: { data: { id, disabledAt: null } } })
  t.match(await as('bob').get('/v1/people'), { status: 403 })
  t.match(await admin.get('/v1/people/person_01k4qz0000e0080000000000ab'), { status: 404 })
  t.match(await admin.post('/v1/people/person_01k4qz0000e0080000000000ab/disable'), { status: 404 })
  t.match(await admin.post('/v1/people/invitations', { email: 'x' }), {
    status: 400,
    body: { error: { param: '/email' } }
  })
  t.match(await admin.post('/v1/people/invitations', { email: 'x@example.com', projectId: 'nowhere' }), {
    status: 404,
    body: { error: { param: '/projectId' } }
  })
  const open = await ada.post('/v1/people/invitations', { email: 'cy@example.com', isOperator: true })
  const own = await admin.post('/v1/people/invitations', { email: 'di@example.com', projectId: 'default' })
  t.match(await ada.get('/v1/people/invitations'), {
    status: 200,
    body: {
      data: [
        { id: own.body.data.id, role: 'owner', projectId: 'default', isOperator: false },
        { id: open.body.data.id, role: null, projectId: null, isOperator: true }
      ]
    }
  })
  t.match((await ada.get('/v1/people/invitations?limit=1')).body, { data: [{}], nextCursor: /./ })
  const order = { email: 'ed@example.com', role: 'member' }
  t.match(await admin.post('/v1/people/invitations', order), {
    status: 400,
    body: { error: { param: '/role' } }
  })
  const member = await admin.post('/v1/people/invitations', { ...order, projectId: 'default' })
  t.match(member, { status: 201, body: { data: { role: 'member', projectId: 'default' } } })
  t.match(await as('bob').get('/v1/people/invitations'), { status: 403 })
  t.match(await ada.get('/v1/people/invitations?limit=0'), { status: 400 })
  const gone = `/v1/people/invitations/${open.body.data.id}`
  t.match(await as('bob').delete(gone), { status: 403 })
  t.match(await ada.delete(gone), { status: 200, body: { data: { deleted: true } } })
  t.match(await ada.delete(gone), { status: 404 })
  t.match(
    await ada.delete(`/v1/people/invitations/${own.body.data.id}`),
    { status: 200 },
    'an operator made it'
  )
  t.equal((await fetch(open.body.data.url)).status, 404)
  const made = await ada.post('/v1/people/invitations', { email: 'flo@example.com', isOperator: true })
  t.equal((await fetch(made.body.data.url)).status, 200)
  await admin.post(`/v1/people/${id}/disable`)
  t.equal((await fetch(made.body.data.url)).status, 404, 'an operator who is disabled lets nobody in')
  await personOf(identity, 'bob@example.com', { projectId: 'default' })
  const bob = await tokensOf(identity, 'bob@example.com')
  t.match(await clientOf(identity, bob).get('/v1/projects'), {
    body: { data: [{ id: 'default', role: 'owner' }] }
  })
  t.match(await refresh(identity, bob.refresh_token, { project_id: 'elsewhere' }), { status: 400 })
})

t.test('a person who is disabled is out at once, on every instance', async (t) => {
  const identity = await identityOf(t, {}, 'console')
  const second = await identityOf(t, { beside: identity, address: identity.address }, 'console')
  const ada = await signedIn(identity, 'ada@example.com')
  const elsewhere = clientOf(second, ada.tokens)
  const key = await ada.client.post(`/v1/projects/${ada.project}/keys`, { name: 'ci', type: 'service' })
  const service = createClient(second.url, 'ci', key.body.data.key)
  for (const client of [ada.client, elsewhere, service])
    t.match(await client.get('/v1/auth/me'), { status: 200 })
  const token = await elsewhere.key()
  const stream = await fetch(`${second.url}/console/changes`, {
    headers: { authorization: `Bearer ${token}` }
  })
  t.equal(stream.status, 200)

  const begun = performance.now()
  t.match(await identity.admin.post(`/v1/people/${ada.id}/disable`), {
    status: 200,
    body: { data: { disabledAt: /./ } }
  })
  await stream.body?.pipeTo(new WritableStream()).catch(() => undefined)
  t.ok(performance.now() - begun < 2_000, 'the open stream is closed within two seconds')
  for (const client of [ada.client, elsewhere, service])
    t.match(await client.get('/v1/auth/me'), { status: 401 })
  t.match(await refresh(identity, ada.tokens.refresh_token), {
    status: 400,
    body: { error: 'invalid_grant' }
  })
  await t.rejects(tokensOf(identity, 'ada@example.com'), 'nor can it sign in')

  t.match(await identity.admin.post(`/v1/people/${ada.id}/enable`), {
    status: 200,
    body: { data: { disabledAt: null } }
  })
  const back = clientOf(identity, await tokensOf(identity, 'ada@example.com'))
  t.match(await back.get('/v1/auth/me'), { status: 200 })
  t.match(await service.get('/v1/auth/me'), { status: 401 }, 'what was ended stays so')
  await runJob(identity, 'identity.forget')
})
