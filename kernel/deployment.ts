import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const closed = { additionalProperties: false }
const Values = {
  enabled: Type.Optional(Type.Boolean()),
  settings: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
}

/** A file of `config/`: which packs a deployment has, and with which settings. */
const DeploymentFile = Type.Object(
  {
    folders: Type.Array(Type.String(), {
      default: ['../plugins'],
      description: 'Folders of packs, relative to the file'
    }),
    enabled: Type.Boolean({ default: true, description: 'Whether packs that are not named below are on' }),
    packs: Type.Record(
      Type.String(),
      Type.Object({ ...Values, locked: Type.Optional(Type.Object(Values, closed)) }, closed),
      {
        default: {},
        description: 'Defaults by pack; what stands in `locked` cannot be changed while it serves'
      }
    ),
    choices: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'By extension point: the key of the contribution that projects use unless they choose'
    })
  },
  closed
)
export type Deployment = Static<typeof DeploymentFile>

const check = new Ajv({ useDefaults: true, strict: false }).compile(DeploymentFile)

/** Root of this installation: where `kernel/`, `plugins/` and `config/` lie. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Checks a deployment; folders are made absolute from `base`. Throws an Error of one line. */
export function parseDeployment(value: unknown, base: string): Deployment {
  const deployment = structuredClone(value)
  if (!check(deployment)) {
    const [error] = check.errors ?? []
    const extra = error?.params.additionalProperty
    throw new Error(`${error?.instancePath || '/'} ${error?.message}${extra ? ` (${extra})` : ''}`)
  }
  const parsed = deployment as Deployment
  return { ...parsed, folders: parsed.folders.map((folder) => resolve(base, folder)) }
}

/** Reads `config/<name>.json`. Throws an Error of one line that names the file. */
export function readDeployment(name: string): Deployment {
  const file = resolve(root, 'config', `${name}.json`)
  try {
    return parseDeployment(JSON.parse(readFileSync(file, 'utf8')), dirname(file))
  } catch (error) {
    throw new Error(`DEPLOYMENT ${name}: config/${name}.json: ${(error as Error).message.split('\n')[0]}`)
  }
}
