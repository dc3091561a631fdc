const SECRET_NAME = /KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE/
/** A text this short would be found everywhere, and is no secret. */
const SHORTEST = 4

/**
 * Takes every secret of the environment out of a text: passwords in addresses, and values of variables whose names
 * say so. What other programs say of a failure may repeat what they were given.
 */
export function createMask(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = new Set<string>()
  for (const [name, value = ''] of Object.entries(env)) {
    if (SECRET_NAME.test(name)) for (const part of [value, ...value.split(',')]) secrets.add(part.trim())
    for (const password of passwordsIn(value)) secrets.add(password)
  }
  const longestFirst = [...secrets]
    .filter(({ length }) => length >= SHORTEST)
    .sort((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
}

/** As it stands there, and decoded; also of an address that is none. */
function passwordsIn(text: string): string[] {
  const raw = /^[a-z][a-z0-9+.-]*:\/\/[^:@/]*:(.*)@/is.exec(text)?.[1]
  const query = /[?&]password=([^&]*)/i.exec(text)?.[1]
  return [raw, query].flatMap((password) => {
    if (!password) return []
    try {
      return [password, decodeURIComponent(password)]
    } catch {
      return [password]
    }
  })
}

/** The address without user and password. */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read'
  const { protocol, host, pathname, searchParams } = new URL(url)
  return `${protocol}//${searchParams.get('host') ?? host}${pathname}`
}
