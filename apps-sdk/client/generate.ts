import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const HEADER = `// Made from the OpenAPI document of a platform with all packs, by openapi-typescript:
// UPDATE=1 npx tap apps-sdk/client/types.test.ts

`
const blob = ts.factory.createTypeReferenceNode('Blob')

/** The types of an OpenAPI document, as `src/api.ts` has them. */
export async function typesOf(document: object, header = HEADER): Promise<string> {
  const nodes = await openapiTypescript(structuredClone(document) as never, {
    silent: true,
    // A default is for those who leave the property out.
    defaultNonNullable: false,
    transform: (schema) => (schema.format === 'binary' ? blob : undefined)
  })
  return header + astToString(nodes)
}
