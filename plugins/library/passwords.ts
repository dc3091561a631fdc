import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kernel } from 'agent-platform'
import { rateLimited } from 'agent-platform'

export type Passwords = ReturnType<typeof createPasswords>

const GUESSES = { most: 10, seconds: 900 }
/** Each takes a thread of the few that files and names of hosts are read by, 16 MiB, and 50 ms. */
const AT_ONCE = 2
const MOST_WAITING = 20

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

/** Passwords of share links, kept by scrypt. */
export function createPasswords({ limits }: Pick<Kernel, 'limits'>) {
  let computing = 0
  const waiting: (() => void)[] = []
  const checks = new Map<string, Promise<boolean>>()

  /** 429 where too many wait. */
  async function derived(password: string, salt: Buffer): Promise<string> {
    if (computing < AT_ONCE) computing++
    else if (waiting.length >= MOST_WAITING) throw rateLimited(1, 'Too many passwords are being checked')
    // The place of one that has ended is handed over.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return `${salt.toString('base64url')}.${(await derive(password, salt, 32)).toString('base64url')}`
    } finally {
      const next = waiting.shift()
      if (next) next()
      else computing--
    }
  }

  async function guess(linkId: string, kept: string, password: string): Promise<boolean> {
    const takeBack = await limits.guess('password', linkId, GUESSES)
    let isWrong = false
    try {
      const salt = Buffer.from(kept.split('.')[0] ?? '', 'base64url')
      isWrong = !timingSafeEqual(Buffer.from(await derived(password, salt)), Buffer.from(kept))
    } finally {
      if (!isWrong) await takeBack()
    }
    return !isWrong
  }

  return {
    hash: (password: string) => derived(password, randomBytes(16)),

    /** 429 after ten wrong ones of a link in a quarter of an hour, for the right one too. The same one many times at once is one. */
    isRight(linkId: string, kept: string, password: string): Promise<boolean> {
      const key = `${linkId} ${createHash('sha256').update(password).digest('base64url')}`
      const check = checks.get(key) ?? guess(linkId, kept, password).finally(() => checks.delete(key))
      checks.set(key, check)
      return check
    }
  }
}
