import { createHmac } from 'node:crypto'

/** What goes along with a method to sign in, of a secret that its browser keeps: none tells of another, nor of the secret. */
export function derived(secret: string): Readonly<Record<'state' | 'nonce' | 'verifier', string>> {
  const part = (name: string) => createHmac('sha256', secret).update(name).digest('base64url')
  return { state: part('state'), nonce: part('nonce'), verifier: part('verifier') }
}
