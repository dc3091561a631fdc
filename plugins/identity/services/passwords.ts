import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { invalid, trimEndOf } from 'agent-platform'

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const LENGTH = 32
const derive = promisify(argon2)
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** As the PHC string format has it, so that the costs may rise. On a thread of its own. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: prepared(password), nonce, tagLength: LENGTH, ...COST })
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** Whether that is the password; without one to compare to it takes as long, and is false. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = FORM.exec(hash ?? '') ?? []
  const cost = memory
    ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
    : COST
  const wanted = memory ? Buffer.from(tag, 'base64') : randomBytes(LENGTH)
  const found = await derive('argon2id', {
    message: prepared(password),
    nonce: memory ? Buffer.from(nonce, 'base64') : randomBytes(16),
    tagLength: wanted.length,
    ...cost
  })
  return timingSafeEqual(found, wanted) && memory !== undefined
}

/** 400 for what is no password that someone could have chosen. */
export function checkPassword(password: string, { email }: { email: string }): void {
  const { length } = [...password]
  if (length < 10 || length > 200) throw invalid('/password', 'A password has 10 to 200 characters')
  if (password.toLowerCase() === email.toLowerCase()) throw invalid('/password', 'The address is no password')
}

/** One password, however a keyboard composes its letters. */
const prepared = (password: string): Buffer => Buffer.from(password.normalize('NFKC'))
const unpadded = (bytes: Buffer): string => trimEndOf(bytes.toString('base64'), '=')
