import { randomBytes } from 'node:crypto'
import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, forbidden, invalid, newId, notFound, typeOfId, unavailable } from 'agent-platform'
import { HOME } from '../home.ts'
import type { Artifacts } from '../stores/artifacts.ts'
import type { PasskeyRow, PasskeyStore } from '../stores/passkeys.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'
import type { Ways } from './ways.ts'
import { hasPasskeys } from './ways.ts'

export type Passkeys = ReturnType<typeof createPasskeys>

interface Deps extends Pick<Kernel, 'platform' | 'transaction' | 'facts' | 'log'> {
  passkeyStore: PasskeyStore
  personStore: PersonStore
  people: People
  ways: Ways
  artifacts: Artifacts
}
const SECONDS = 300
/** Of a person. */
const MOST = 20
const ALGORITHMS = [-7, -8, -257]

/** What verifies is loaded with the first that is used: it is large, and most requests need none of it. */
const library = () => import('@simplewebauthn/server')

/** Passkeys: by what a device of a person proves, after it has looked who holds it. Bound to the name of the host of `BASE_URL`. */
export function createPasskeys(deps: Deps) {
  const { platform, transaction, facts, log, passkeyStore, personStore, people, artifacts, ways } = deps
  const { hostname, origin } = new URL(platform.baseUrl)
  const isAvailable = hasPasskeys(platform.baseUrl)
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }

  /** Each is good once, for minutes, and for what it was made for alone. */
  async function newChallenge(purpose: string): Promise<string> {
    const challenge = randomBytes(32).toString('base64url')
    await artifacts.keepChallenge(purpose, challenge, SECONDS)
    return challenge
  }
  const registering = (by: Principal, { id }: PersonRow) => `${id} ${by.credential}`

  function checkAvailable(): void {
    if (!isAvailable)
      throw unavailable('Passkeys need a BASE_URL with the name of a host, such as http://localhost:3000', {
        code: 'passkeys_unavailable'
      })
  }
  async function enter(by: Principal): Promise<PersonRow> {
    await people.inBrowser(by)
    checkAvailable()
    return people.confirmed(by)
  }

  async function own(by: Principal, id: string): Promise<{ person: PersonRow; row: PasskeyRow }> {
    const person = await people.inBrowser(by)
    const row = typeOfId(id) === 'passkey' ? await passkeyStore.find(id) : undefined
    if (!row) throw notFound('Passkey')
    if (row.owner !== person.id)
      throw forbidden('You do not have access to this passkey', { code: 'not_owner' })
    return { person, row }
  }
  const detailsOf = ({ id, owner, name }: PasskeyRow) => ({ subject: id, owner, data: { id, name } })

  return {
    checkAvailable,

    /** What a browser needs to make one. */
    async begin(by: Principal) {
      const person = await enter(by)
      const { generateRegistrationOptions } = await library()
      const known = await passkeyStore.listCredentials(person.id)
      return generateRegistrationOptions({
        rpName: 'Agent Platform',
        rpID: hostname,
        userName: person.email,
        userDisplayName: person.name,
        userID: new Uint8Array(Buffer.from(person.id)),
        challenge: new Uint8Array(Buffer.from(await newChallenge(registering(by, person)), 'base64url')),
        timeout: SECONDS * 1_000,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId: id, transports }) => ({
          id,
          transports: [...transports]
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS
      })
    },

    /** 400 for what does not answer the latest challenge of that session, 409 where the device has one, or the person too many. */
    async add(by: Principal, name: string, response: object) {
      const person = await enter(by)
      const expectedChallenge = await artifacts.takeChallenge(registering(by, person))
      const { verifyRegistrationResponse } = await library()
      const { verified, registrationInfo } = await Promise.resolve()
        .then(() => {
          if (expectedChallenge === undefined) throw new Error('There is no challenge')
          const options = { ...expected, expectedChallenge, supportedAlgorithmIDs: ALGORITHMS }
          return verifyRegistrationResponse({ ...options, response: response as never })
        })
        .catch((err) => {
          log.info({ err }, 'A passkey was not added')
          throw invalid('/response', 'The passkey does not answer what was asked: begin once more')
        })
      if (!verified) throw invalid('/response', 'The passkey is none')
      const { credential, credentialBackedUp } = registrationInfo
      return transaction(async (trx) => {
        const made = await passkeyStore.insert(
          trx,
          {
            id: newId('passkey'),
            owner: person.id,
            credentialId: credential.id,
            publicKey: Buffer.from(credential.publicKey),
            counter: credential.counter,
            transports: (credential.transports ?? []).map(String).slice(0, 10),
            isSynced: credentialBackedUp,
            name
          },
          MOST
        )
        if (!made)
          throw conflict(`The passkey is there already, or the person has ${MOST}`, {
            code: 'passkey_exists'
          })
        await facts.record(trx, 'identity.passkey_added', principalOf(person, HOME), detailsOf(made))
        return shown(made)
      })
    },

    async list(by: Principal, page: Paging) {
      const { data, nextCursor } = await passkeyStore.list((await people.inBrowser(by)).id, page)
      return { data: data.map(shown), nextCursor }
    },

    async rename(by: Principal, id: string, name: string) {
      const { person } = await own(by, id)
      return transaction(async (trx) => {
        const changed = await passkeyStore.updateName(trx, id, name)
        if (!changed) throw notFound('Passkey')
        await facts.record(trx, 'identity.passkey_renamed', principalOf(person, HOME), detailsOf(changed))
        return shown(changed)
      })
    },

    /** Nobody signs in with it from then on; who did already stays so. 409 `last_way` where the person could not sign in any more. */
    async remove(by: Principal, id: string): Promise<{ id: string; deleted: true }> {
      const { person, row } = await own(by, id)
      await people.confirmed(by)
      await transaction(async (trx) => {
        await ways.keepingOne(trx, person.id, async () => {
          if ((await passkeyStore.remove(trx, id)) === 0) throw notFound('Passkey')
        })
        await facts.record(trx, 'identity.passkey_removed', principalOf(person, HOME), detailsOf(row))
      })
      return { id, deleted: true }
    },

    /** What a browser needs to sign in by one, the same for everybody; undefined where there are none. The one before is void. */
    challenge: async (interaction: string) =>
      isAvailable
        ? {
            challenge: await newChallenge(interaction),
            rpId: hostname,
            timeout: SECONDS * 1_000,
            userVerification: 'required'
          }
        : undefined,

    /** Who proves to be there; undefined for everything else. The challenge is used up either way. */
    async signIn(interaction: string, text: string): Promise<PersonRow | undefined> {
      const expectedChallenge = await artifacts.takeChallenge(interaction)
      if (!isAvailable || expectedChallenge === undefined) return undefined
      try {
        const response = JSON.parse(text)
        const passkey = await passkeyStore.findByCredential(String(response.id))
        const handle = handleIn(text)
        if (!passkey || handle !== passkey.owner) return undefined
        const { credentialId: id, publicKey, counter, transports, owner } = passkey
        const { verifyAuthenticationResponse } = await library()
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...expected,
          response,
          expectedChallenge,
          credential: { id, publicKey: new Uint8Array(publicKey), counter, transports: [...transports] }
        })
        const isFirst = verified && (await passkeyStore.updateUse(passkey, authenticationInfo.newCounter))
        const person = isFirst ? await personStore.find(owner) : undefined
        return person?.disabledAt === null ? person : undefined
      } catch (err) {
        log.info({ err }, 'A passkey was refused')
        return undefined
      }
    }
  }
}

/** Whose passkey a response says to be: good where it was verified. Throws for what is no JSON. */
export const handleIn = (text: string): string =>
  Buffer.from(String(JSON.parse(text).response?.userHandle ?? ''), 'base64url').toString()

const shown = ({ id, name, isSynced, lastUsedAt, createdAt }: PasskeyRow) => ({
  id,
  name,
  isSynced,
  lastUsedAt,
  createdAt
})
