import { createHash } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { errors } from 'oidc-provider'
import { HOME } from '../home.ts'

export type Artifacts = ReturnType<typeof createArtifacts>

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const challengeId = (purpose: string): string => `Challenge_${hashOf(purpose).toString('base64url')}`

/**
 * What the provider keeps: sessions, codes, grants, refresh tokens. A row is found by the hash of what stands for it and its
 * content is sealed, so that nobody signs in with what a copy of the database says.
 */
export function createArtifacts({ knex, vault }: Pick<Kernel, 'knex' | 'vault'>) {
  const rows = () => knex('identity.artifact').where({ project: HOME })
  const sealing = vault.at('identity.artifact')

  interface Row {
    readonly id: string
    readonly sealed: string
    readonly consumedAt: string | null
  }

  async function payloadOf(row: Row | undefined): Promise<AdapterPayload | undefined> {
    if (!row) return undefined
    const payload = JSON.parse(await sealing.open(HOME, row.id, row.sealed))
    return { ...payload, ...(row.consumedAt && { consumed: Math.floor(Date.parse(row.consumedAt) / 1_000) }) }
  }

  /** One for each kind of thing. */
  function adapterOf(model: string): Adapter {
    const idOf = (id: string) => `${model}_${hashOf(`${model}:${id}`).toString('base64url')}`
    const find = (where: object) =>
      rows()
        .where({ model, ...where })
        .where((live) => live.whereNull('expiresAt').orWhere('expiresAt', '>', new Date()))
        .first('id', 'sealed', 'consumedAt')
        .then(payloadOf)
    return {
      async upsert(id, payload, expiresIn) {
        const key = idOf(id)
        const { accountId, grantId, uid, userCode } = payload
        const row = {
          owner: accountId ?? '',
          sealed: await sealing.seal(HOME, key, JSON.stringify(payload)),
          grantId: grantId ?? null,
          uid: uid ?? null,
          userCodeHash: userCode ? hashOf(userCode) : null,
          expiresAt: expiresIn ? new Date(Date.now() + expiresIn * 1_000) : null
        }
        await knex('identity.artifact')
          .insert({ ...row, project: HOME, id: key, model })
          .onConflict(['project', 'id'])
          .merge(row)
      },
      find: (id) => find({ id: idOf(id) }),
      findByUid: (uid) => find({ uid }),
      findByUserCode: (userCode) => find({ userCodeHash: hashOf(userCode) }),

      /** Of two that consume it at the same time one gets through; the other is told as for a second use. */
      async consume(id) {
        const [used] = await rows()
          .where({ id: idOf(id), consumedAt: null })
          .update({ consumedAt: new Date() })
          .returning('id')
        if (used) return
        const row = await rows()
          .where({ id: idOf(id) })
          .first('grantId')
        if (row?.grantId) await removeOfGrant(row.grantId)
        throw new errors.InvalidGrant('used before')
      },
      destroy: async (id) =>
        void (await rows()
          .where({ id: idOf(id) })
          .delete()),
      revokeByGrantId: (grantId) => removeOfGrant(grantId)
    }
  }

  async function removeOfGrant(grantId: string, on: Kernel['knex'] | Trx = knex): Promise<void> {
    const rows = () => on('identity.artifact').where({ project: HOME })
    await rows().where({ grantId }).delete()
    await rows()
      .where({ id: `Grant_${hashOf(`Grant:${grantId}`).toString('base64url')}` })
      .delete()
    await on('identity.grant_project').where({ project: HOME, id: grantId }).delete()
  }

  return {
    adapterOf,
    /** All of a person: sessions, grants, codes, tokens. */
    removeOf: (person: string): Promise<number> => rows().where({ owner: person }).delete(),
    /** What a person agreed to for one project, and the tokens that came of it. */
    async removeGrantsOf(trx: Trx, person: string, chosen: string): Promise<void> {
      const grants = trx('identity.grant_project').where({ project: HOME, owner: person, chosen })
      for (const id of await grants.pluck('id')) await removeOfGrant(id, trx)
    },
    /** Whether a browser is signed in by that credential. */
    hasSession: async (credential: string): Promise<boolean> =>
      (await rows()
        .where({ id: `Console_${credential}` })
        .first('id')) !== undefined,
    /** A browser is signed in to the console by that credential, because of its session here. */
    async addSession(
      credential: string,
      { person, expiresAt, browser }: { person: string; expiresAt: Date; browser: string }
    ): Promise<void> {
      const row = { id: `Console_${credential}`, owner: person, uid: browser, expiresAt, sealed: '' }
      await knex('identity.artifact').insert({ ...row, model: 'Console', project: HOME })
    },
    /** Ends that, and the session here: the browser is asked again who it is. */
    async endSession(credential: string): Promise<void> {
      const [ended] = await rows()
        .where({ id: `Console_${credential}` })
        .delete()
        .returning('uid')
      if (ended) await rows().where({ model: 'Session', uid: ended.uid }).delete()
    },
    /** What a browser has to answer for that purpose within so many seconds; what was to be answered before is void. */
    async keepChallenge(purpose: string, challenge: string, seconds: number): Promise<void> {
      const id = challengeId(purpose)
      const row = {
        owner: '',
        sealed: await sealing.seal(HOME, id, challenge),
        expiresAt: new Date(Date.now() + seconds * 1_000)
      }
      await knex('identity.artifact')
        .insert({ ...row, project: HOME, id, model: 'Challenge' })
        .onConflict(['project', 'id'])
        .merge(row)
    },
    /** Once. */
    async takeChallenge(purpose: string): Promise<string | undefined> {
      const id = challengeId(purpose)
      const [row] = await rows()
        .where({ id })
        .where('expiresAt', '>', new Date())
        .delete()
        .returning('sealed')
      return row && sealing.open(HOME, id, row.sealed)
    },
    removeExpired: (): Promise<number> => rows().where('expiresAt', '<', new Date()).delete(),

    /** For which project a grant was given. */
    async findProject(grantId: string): Promise<string | undefined> {
      const row = await knex('identity.grant_project').where({ project: HOME, id: grantId }).first('chosen')
      return row?.chosen
    },
    async chooseProject(grantId: string, owner: string, chosen: string): Promise<void> {
      await knex('identity.grant_project')
        .insert({ project: HOME, id: grantId, owner, chosen })
        .onConflict(['project', 'id'])
        .merge({ chosen })
    }
  }
}
