import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createContext, useContext, useEffect } from 'react'
import { basePath } from './api.ts'

export interface MountedPack {
  readonly name: string
  readonly area: string
  readonly summary: string | null
}

export interface SignInMethod {
  readonly key: string
  readonly label: string
  readonly url: string
}

export interface Session {
  readonly principal: {
    readonly id: string
    readonly type: string
    readonly project: string
    readonly scopes: readonly string[]
  } | null
  /** Those that are mounted now. */
  readonly packs: readonly MountedPack[]
  /** Methods to sign in, beside links and keys. */
  readonly signInMethods: readonly SignInMethod[]
  readonly version: string
  readonly production: boolean
}

export const sessionAddress = `${basePath}/session`

async function read(signal?: AbortSignal): Promise<Session> {
  const reply = await fetch(sessionAddress, { signal, headers: { accept: 'application/json' } })
  const body = await reply.json()
  if (!reply.ok) throw new Error(body.error?.message ?? `The platform answered ${reply.status}`)
  return body.data
}

/**
 * Where the browser begins to sign in by that method: to come back to `to`, a place in the console, and to work in that project. The
 * console itself at the platform's own address where it is open at another, which would not know who comes back.
 */
export function signInAddress(
  { url }: SignInMethod,
  { to, project, isFresh = false }: { to?: string; project?: string; isFresh?: boolean } = {}
): string {
  const begin = new URL(url)
  if (begin.origin !== location.origin) return new URL('../sign-in', begin).href
  if (to) begin.searchParams.set('to', to)
  if (project) begin.searchParams.set('project', project)
  // To be asked who one is, also where that is known.
  if (isFresh) begin.searchParams.set('fresh', 'true')
  return begin.href
}

/** Signs in by a key or by the code of a link. Rejects with the platform's words. */
export async function signIn(by: { key: string } | { code: string }): Promise<void> {
  const reply = await fetch(sessionAddress, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...('key' in by && { authorization: `Bearer ${by.key}` })
    },
    body: JSON.stringify('code' in by ? { code: by.code } : {})
  })
  if (reply.ok) return
  const body = await reply.json().catch(() => ({}))
  throw new Error(body.error?.message ?? `The platform answered ${reply.status}`)
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Who is signed in, and what is mounted. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session yet')
  return session
}

export const useSessionQuery = () =>
  useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => read(signal),
    staleTime: Number.POSITIVE_INFINITY
  })

/** Follows what is mounted: pages come and go with their packs. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const queries = useQueryClient()
  useEffect(() => {
    const changes = new EventSource(`${basePath}/changes`)
    changes.addEventListener('packs', ({ data }) => {
      const packs: MountedPack[] = JSON.parse(data)
      queries.setQueryData<Session>(['session'], (before) => before && { ...before, packs })
    })
    // It connects again by itself, unless the session has ended.
    changes.addEventListener('error', () => {
      if (changes.readyState === EventSource.CLOSED) queries.invalidateQueries({ queryKey: ['session'] })
    })
    return () => changes.close()
  }, [queries])
  return <SessionContext value={session}>{children}</SessionContext>
}
