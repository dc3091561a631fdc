import { Type } from 'typebox'

const tags = ['mcp']

/** Open: what comes back is said by another server. */
export const finishAuthorization = {
  tags,
  summary: 'Where the owner of a tool server is sent back to after letting the platform use it',
  querystring: Type.Object(
    {
      state: Type.Optional(Type.String({ maxLength: 200 })),
      code: Type.Optional(Type.String({ maxLength: 4_000 })),
      iss: Type.Optional(Type.String({ maxLength: 2_000 })),
      error: Type.Optional(Type.String({ maxLength: 200 }))
    },
    { additionalProperties: true }
  ),
  response: { 200: Type.String({ description: 'A page that says how it went' }) }
}
export const readClientMetadata = {
  tags,
  summary: 'What the platform is as an OAuth client, for authorization servers that ask',
  response: {
    200: Type.Object(
      {
        client_id: Type.String(),
        client_name: Type.String(),
        client_uri: Type.String(),
        redirect_uris: Type.Array(Type.String()),
        grant_types: Type.Array(Type.String()),
        response_types: Type.Array(Type.String()),
        token_endpoint_auth_method: Type.String()
      },
      { title: 'OAuthClientMetadata' }
    )
  }
}
