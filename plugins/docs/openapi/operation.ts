import { requestBodyOf, responsesOf } from './bodies.ts'
import type { Components } from './components.ts'
import { parametersOf } from './parameters.ts'
import type { Template } from './paths.ts'
import type { Json, Route } from './route.ts'
import { accessOf, securityOf, tokensOf } from './security.ts'

/** One route in OpenAPI's words. */
export function operationOf(
  route: Route,
  operationId: string,
  template: Template,
  components: Components
): Json {
  const { summary, deprecated } = route.schema
  const parameters = parametersOf(route, template, components)
  const requestBody = requestBodyOf(route, components)
  return {
    operationId,
    tags: tagsOf(route),
    summary: summary ?? `${route.method} ${template.template}`,
    description: descriptionOf(route),
    ...(deprecated && { deprecated }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(route, components)
  }
}

export const tagsOf = ({ schema, pack }: Route): readonly string[] =>
  schema.tags?.length ? schema.tags : [pack]

function descriptionOf(route: Route): string {
  const { limit, secret = [] } = route.access
  const secrets = [secret].flat().map((name) => `\`${name}\``)
  return [
    route.schema.description,
    accessOf(route),
    tokensOf(route),
    limit === 'sensitive' && 'Has a low rate limit of its own.',
    secrets.length > 0 &&
      `${secrets.join(' and ')} ${secrets.length > 1 ? 'are' : 'is'} shown in this reply alone; a repetition comes without it.`
  ]
    .filter(Boolean)
    .join('\n\n')
}
