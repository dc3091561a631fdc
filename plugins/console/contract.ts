import type { Principal } from 'agent-platform'

declare module 'agent-platform' {
  interface Points {
    /** Methods to sign in beside links and keys, shown as a button each. Its key stands in the addresses. */
    'console.sign_in': SignInMethod
  }
}

/** What a browser began. */
export interface SignInAttempt {
  /** Of this attempt, and known to this browser alone: what comes back has to be bound to it. */
  readonly secret: string
  /** In which project the person wants to work; undefined where that is left to the method. */
  readonly project: string | undefined
  /** The person is to prove who it is, also where that is known. */
  readonly isFresh: boolean
}

/** Signs browsers in by what lies outside the console. The browser comes back to `<BASE_URL>/console/sign-in/<key>/callback`. */
export interface SignInMethod {
  /** What its button says. */
  readonly label: string
  /** Where the browser is to go. */
  begin(attempt: SignInAttempt): Promise<string>
  /** Who came back with these parameters. Throws for everything that is not the end of that very attempt. */
  finish(attempt: SignInAttempt, returned: URLSearchParams): Promise<SignedIn>
  /** The person signed out of a session that may have begun by this method. */
  end(credential: string): Promise<void>
}

export interface SignedIn {
  readonly principal: Principal
  /** Told which credential the session got, and what the browser says to be. */
  opened(credential: string, expiresAt: Date, userAgent: string | undefined): Promise<void>
}
