// servers: PostgreSQL and Redis
import t from 'tap'
import { asked, failing, held, instance, migrated, service } from '../../test/credentials.ts'

t.test('revoking', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const elsewhere = await instance(t, base)

  async function family() {
    const root = await asked(credentials, { ...service, type: 'user', principal: 'ada' })
    const child = await credentials.issue(root, { name: 'child' })
    const asChild = (await held(credentials, child.key)).principal
    const minted = await credentials.mint(asChild, ['agents:read', 'auth:write'], 60)
    const asMinted = (await held(credentials, minted.token)).principal
    const grandchild = await credentials.issue(asMinted, { name: 'grandchild' })
    return { root, child, minted, grandchild }
  }

  t.test('ends all that was made with it, here at once and elsewhere by signal', async (t) => {
    const { root, child, minted, grandchild } = await family()
    const sibling = await credentials.createKey({ ...service, type: 'user', principal: 'ada' })
    const all = [root.credential, child.id, minted.id, grandchild.id].toSorted()
    const here: string[] = []
    using _here = credentials.onRevoked((ids) => here.push(...ids))
    const there = Promise.withResolvers<readonly string[]>()
    using _there = elsewhere.onRevoked((ids) => there.resolve(ids))
    await credentials.revoke(root.credential)
    t.strictSame(here.toSorted(), all)
    t.strictSame([...(await there.promise)].toSorted(), all)
    for (const token of [child.key, minted.token, grandchild.key])
      t.equal(await elsewhere.resolve(token), undefined)
    t.ok(await credentials.resolve(sibling), 'another key of the same principal is as good as before')
  })

  t.test('of a part leaves the rest, and passes what was revoked before', async (t) => {
    const { root, child, minted, grandchild } = await family()
    await credentials.revoke(minted.id)
    t.equal(await credentials.resolve(grandchild.key), undefined)
    t.ok(await credentials.resolve(child.key))
    const heard: string[] = []
    using _ = credentials.onRevoked((ids) => heard.push(...ids))
    await credentials.revoke(root.credential)
    t.strictSame(heard.toSorted(), [root.credential, child.id].toSorted(), 'nobody is told twice')
    await credentials.revoke('key_unknown')
    t.equal(heard.length, 2)
  })

  t.test('more than fit into one signal', async (t) => {
    const root = await asked(credentials, service)
    const issued = await Promise.all(
      Array.from({ length: 230 }, () => credentials.issue(root, { name: 'many' }))
    )
    const heard = new Set<string>()
    const done = Promise.withResolvers<void>()
    using _ = elsewhere.onRevoked((ids) => {
      for (const id of ids) heard.add(id)
      if (heard.size === issued.length + 1) done.resolve()
    })
    await credentials.revoke(root.credential)
    await done.promise
    t.ok(issued.every(({ id }) => heard.has(id)))
  })

  t.test('leaves no way to make another, also at the same time', async (t) => {
    for (let round = 0; round < 10; round++) {
      const root = await asked(credentials, service)
      const issuing = Array.from({ length: 5 }, () =>
        credentials.issue(root, { name: 'late' }).catch((error) => error)
      )
      const [, ...results] = await Promise.all([elsewhere.revoke(root.credential), ...issuing])
      for (const result of results) {
        if (result instanceof Error) t.match(result, failing({ kind: 'forbidden', code: 'revoked' }))
        else t.equal(await credentials.resolve(result.key), undefined)
      }
      await t.rejects(credentials.issue(root, { name: 'after' }), failing({ code: 'revoked' }))
    }
  })
})
