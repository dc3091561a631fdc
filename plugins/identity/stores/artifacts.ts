import { createHash } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { errors } from 'oidc-provider'
import { HOME } from '../home.ts'

export type Artifacts = ReturnType<typeof createArtifacts>

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const challengeId = (purpose: string): string => `Challenge_${hashOf(purpose).toString('base64url')}`

/** Whose it is; of a sign-in that is under way, who has signed in: it ends with the person's sessions, and is not kept for later. */
function personIn({ accountId, result, session }: AdapterPayload): string {
  const { login } = (result ?? {}) as { login?: { accountId?: string } }
  return accountId ?? login?.accountId ?? session?.accountId ?? ''
}

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
        const { grantId, uid, userCode } = payload
        const row = {
          owner: personIn(payload),
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
        // A program got new tokens.
        if (model === 'RefreshToken' && grantId)
          await knex('identity.session')
            .where({ project: HOME, grantId })
            .update({ renewedAt: new Date(), expiresAt: row.expiresAt })
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
    await on('identity.session').where({ project: HOME, grantId }).delete()
  }

  return {
    adapterOf,
    /** All of a person: sessions, but for that of one browser, grants, codes, tokens. */
    removeOf: (person: string, exceptBrowser = ''): Promise<number> =>
      rows()
        .where({ owner: person })
        .where((which) =>
          which.whereNot({ model: 'Session' }).orWhereRaw('uid is distinct from ?', exceptBrowser)
        )
        .delete(),
    removeOfGrant: (grantId: string): Promise<void> => removeOfGrant(grantId),
    /** What a person agreed to for one project, and the tokens that came of it. */
    async removeGrantsOf(trx: Trx, person: string, chosen: string): Promise<void> {
      const grants = trx('identity.grant_project').where({ project: HOME, owner: person, chosen })
      for (const id of await grants.pluck('id')) await removeOfGrant(id, trx)
    },
    /** That browser is asked again who it is. */
    removeBrowser: (uid: string): Promise<number> => rows().where({ model: 'Session', uid }).delete(),
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
