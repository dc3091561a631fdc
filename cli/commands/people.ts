import type { Client } from 'agent-platform-client'
import { Command } from 'commander'
import { urlOption, withPlatform } from '../operator.ts'
import { examples, jsonOption, say, show, when } from '../output.ts'

interface Common {
  readonly url?: string
  readonly json?: boolean
}
const listPeople = (client: Client) => Array.fromAsync(client.list('/v1/people', {}))
type Person = Awaited<ReturnType<typeof listPeople>>[number]

const columns = {
  id: (person: Person) => person.id,
  'e-mail': (person: Person) => person.email,
  name: (person: Person) => person.name,
  operator: (person: Person) => (person.isOperator ? 'yes' : ''),
  disabled: (person: Person) => when(person.disabledAt),
  created: (person: Person) => when(person.createdAt)
}

export function peopleCommand(): Command {
  const people = new Command('people').description('Manage user accounts')
  examples(
    people
      .command('invite <email>')
      .description('Print a link with which a person creates an account, also the first one')
      .option('--operator', 'allow the person to use platform:admin')
      .option('--project <id>', 'ID of an existing project, of which the person becomes an owner')
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(async (email: string, options: Common & { operator?: boolean; project?: string }) => {
        const { url, json, operator: isOperator = false, project: projectId } = options
        const body = { email, isOperator, ...(projectId && { projectId }) }
        const { data } = await withPlatform({ ...(url && { url }), admin: true }, (client) =>
          client.post('/v1/people/invitations', { body })
        )
        say(data.url, data, json)
      }),
    'people invite ada@example.com --operator',
    'people invite bob@example.com --project shop'
  )
  examples(
    people
      .command('list')
      .description('List user accounts')
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(async ({ url, json }: Common) =>
        show(await withPlatform({ ...(url && { url }), admin: true }, listPeople), columns, json)
      ),
    'people list'
  )
  examples(
    people
      .command('reset-password <id>')
      .description(
        'Print a single-use link with which a person sets a new password. Replaces an earlier link'
      )
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(async (personId: string, { url, json }: Common) => {
        const { data } = await withPlatform({ ...(url && { url }), admin: true }, (client) =>
          client.post('/v1/people/{personId}/password-reset', {
            params: { path: { personId } },
            idempotencyKey: false
          })
        )
        say(String(data.url), data, json)
      }),
    'people reset-password person_01k4qz0000e0080000000000ab'
  )
  for (const [name, what, done] of [
    ['disable', 'End all sessions, tokens, keys and streams of a person', 'is out'],
    ['enable', 'Let a person sign in again', 'may sign in again']
  ] as const)
    examples(
      people
        .command(`${name} <id>`)
        .description(what)
        .addOption(jsonOption())
        .addOption(urlOption())
        .action(async (personId: string, { url, json }: Common) => {
          const { data } = await withPlatform({ ...(url && { url }), admin: true }, (client) =>
            client.post(`/v1/people/{personId}/${name}`, { params: { path: { personId } } })
          )
          say(`${data.email} ${done}`, data, json)
        }),
      `people ${name} person_01k4qz0000e0080000000000ab`
    )
  return people
}
