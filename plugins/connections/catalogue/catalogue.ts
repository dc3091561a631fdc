import { business } from './business.ts'
import { development } from './development.ts'
import type { Provider } from './provider.ts'
import { work } from './work.ts'

/** What the platform knows by itself, in the order of their names. */
export const catalogue: readonly Provider[] = [...development, ...work, ...business].sort((a, b) =>
  a.name.localeCompare(b.name, 'en')
)

/** The settings that hold what the platform is at a provider, and their environment. */
export const settingsOf = (key: string) => ({
  clientId: { name: `${key}ClientId`, env: `OAUTH_${key.toUpperCase()}_CLIENT_ID` },
  clientSecret: { name: `${key}ClientSecret`, env: `OAUTH_${key.toUpperCase()}_CLIENT_SECRET` }
})
