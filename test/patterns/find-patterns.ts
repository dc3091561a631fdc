import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface Pattern {
  readonly source: string
  readonly flags: string
  /** Files, and lines within them. */
  readonly places: readonly string[]
}

/** Code that runs, not tests, nor what is made from other files of the repository. */
const CODE = /^(?!.*(?:\.(?:test|generated|d)\.|\/test\/)).*\.(?:ts|tsx|js)$/
/** Parsing takes most of the time, and most files have no pattern. */
const MAY_HAVE = /(?:[(,=:[!&|?{;>]|\breturn)\s*\/(?![/*])|RegExp|\bpattern\b/

/** Regular expressions in the code of a folder, by their text: literals, `RegExp` of a constant text, and `pattern` of schemas. */
export function findPatterns(folder: string): { patterns: Pattern[]; unknown: string[] } {
  const args = ['ls-files', '-co', '--exclude-standard', 'kernel', 'cli', 'process', 'plugins', 'apps-sdk']
  const files = execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\n')
  const found = new Map<string, { source: string; flags: string; places: string[] }>()
  const unknown: string[] = []
  for (const file of new Set(files.filter((file) => CODE.test(file)))) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (!MAY_HAVE.test(text)) continue
    for (const { line, source, flags, code } of patternsOf(text)) {
      if (source === undefined) {
        unknown.push(`${file}: ${code}`)
        continue
      }
      const key = textOf({ source, flags })
      const known = found.get(key) ?? { source, flags, places: [] }
      known.places.push(`${file}:${line}`)
      found.set(key, known)
    }
  }
  return { patterns: [...found.values()], unknown: [...new Set(unknown)] }
}

export const textOf = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>) => `/${source}/${flags}`

/** Without a source where it is not known before the code runs. */
export function patternsOf(text: string) {
  const file = ts.createSourceFile('code.tsx', text, ts.ScriptTarget.Latest)
  const constants = new Map<string, string>()
  const found: { line: number; source?: string; flags: string; code: string }[] = []
  const add = (node: ts.Node, source: string | undefined, flags = '') => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    found.push({ line, source, flags, code: node.getText(file).replaceAll(/\s+/g, ' ').slice(0, 120) })
  }
  function visit(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const value = constantOf(node.initializer, constants)
      if (value !== undefined) constants.set(node.name.text, value)
    } else if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      add(node, node.text.slice(1, end), node.text.slice(end + 1))
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(file) === 'RegExp'
    ) {
      const [source, flags] = node.arguments ?? []
      if (source && !ts.isRegularExpressionLiteral(source))
        add(node, constantOf(source, constants), flags && constantOf(flags, constants))
    } else if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'pattern') {
      if (!ts.isRegularExpressionLiteral(node.initializer))
        add(node, constantOf(node.initializer, constants), 'u')
    } else if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'pattern')
      add(node, constants.get('pattern'), 'u')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function constantOf(node: ts.Expression, constants: ReadonlyMap<string, string>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isAsExpression(node)) return constantOf(node.expression, constants)
  if (ts.isIdentifier(node)) return constants.get(node.text)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([constantOf(node.left, constants), constantOf(node.right, constants)])
  if (ts.isTemplateExpression(node))
    return joined([
      node.head.text,
      ...node.templateSpans.flatMap(({ expression, literal }) => [
        constantOf(expression, constants),
        literal.text
      ])
    ])
  return undefined
}

const joined = (parts: readonly (string | undefined)[]) =>
  parts.includes(undefined) ? undefined : parts.join('')
