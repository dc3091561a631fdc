import ts from 'typescript'

/** What a `contract.ts` adds to the three interfaces of the contract: names, with the text of their types. */
export interface Contract {
  readonly facts: ReadonlyMap<string, string>
  readonly points: ReadonlyMap<string, string>
  readonly services: ReadonlyMap<string, string>
}

export function readContract(text: string): Contract {
  const source = ts.createSourceFile('contract.ts', text, ts.ScriptTarget.ESNext, true)
  const interfaces = source.statements.filter(ts.isModuleDeclaration).flatMap(declarationsIn)
  const of = (name: string) => new Map(interfaces.filter((it) => it.name.text === name).flatMap(membersOf))
  return { facts: of('Facts'), points: of('Points'), services: of('Services') }
}

const declarationsIn = ({ name, body }: ts.ModuleDeclaration) =>
  name.text === 'agent-platform' && body && ts.isModuleBlock(body)
    ? body.statements.filter(ts.isInterfaceDeclaration)
    : []

const membersOf = ({ members }: ts.InterfaceDeclaration) =>
  members.filter(ts.isPropertySignature).map(({ name, type }): [string, string] => {
    const key = ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText()
    return [key, (type?.getText() ?? 'unknown').replaceAll(/\s+/g, ' ')]
  })
