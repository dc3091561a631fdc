import type { LoggerOptions } from 'pino'

/** Names under which a secret could stand, at the depths at which we log. */
const SECRETS = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'token', 'key', 'apiKey']

/** How the process logs: JSON lines, and never a secret. */
export function createLogOptions(level: string): LoggerOptions {
  return {
    level,
    base: { pid: process.pid },
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      censor: '[redacted]'
    },
    serializers: { err: errorLine }
  }
}

/** Addresses in messages may carry credentials: `postgres://user:password@host`, `?token=…`; tokens stand alone. */
const CREDENTIALS =
  /(\/\/)[^/\s:@]*:[^/\s@]*@|([?&](?:token|key|code|state|secret|access_token)=)[^&\s]*|\b(ap_(?:live|test)_|apk_|apt_|apn_|eyJ|Bearer )[\w.-]+/gi
/** A message may hold a whole statement, and be as long as that. */
const LONGEST = 4_000
const clean = (text: string): string => text.slice(0, LONGEST).replace(CREDENTIALS, '$1$2$3[redacted]')

/** An error without what libraries hang on it: statements, bindings, configurations. */
function errorLine(error: unknown): unknown {
  if (!(error instanceof Error)) return clean(String(error))
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.name,
    message: clean(error.message),
    stack: clean(error.stack ?? ''),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: errorLine(cause) })
  }
}
