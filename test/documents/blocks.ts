import { marked } from 'marked'

/** A fenced block of a document, by what is to be done with it. */
export type Block = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'commands'; readonly ends: 'well' | 'badly' | 'never' }
  | { readonly kind: 'output'; readonly of: 'commands' | 'server'; readonly json: boolean }
  | { readonly kind: 'file' | 'change'; readonly path: string }
  | { readonly kind: 'skipped'; readonly why: string }
)

const outputs = ['text', 'json']

/**
 * The blocks of a Markdown document that a reader follows, in their order. Throws an Error that names the line of
 * a block that says not what it is; only one without a language may say nothing.
 */
export function readBlocks(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let from = 0
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type !== 'code') return
    const at = markdown.indexOf(token.raw.trimStart().split('\n')[0] as string, from)
    from = at + 1
    const line = markdown.slice(0, at).split('\n').length
    const block = token.lang && blockOf(token.lang, token.text, line, blocks.at(-1))
    if (block) blocks.push(block)
  })
  return blocks
}

function blockOf(info: string, text: string, line: number, before: Block | undefined): Block {
  const [language = '', mark = ''] = info.split(/\s+/)
  const why = /^\S+\s+skip:\s*(\S.*)$/.exec(info)?.[1]
  if (why !== undefined) return { kind: 'skipped', why, line, text }
  if (language === 'sh') {
    const ends = ({ '': 'well', fails: 'badly', serves: 'never' } as const)[mark]
    if (ends === undefined) throw new Error(`line ${line}: ${info}: nothing is known of ${mark}`)
    return { kind: 'commands', ends, line, text }
  }
  if (outputs.includes(language) && (mark === '' || mark === 'serves')) {
    const isOfServer = mark === 'serves' || (before?.kind === 'commands' && before.ends === 'never')
    if (mark === '' && before?.kind !== 'commands')
      throw new Error(`line ${line}: an output stands behind the commands that it comes from`)
    return { kind: 'output', of: isOfServer ? 'server' : 'commands', json: language === 'json', line, text }
  }
  if (!mark.includes('.')) throw new Error(`line ${line}: ${info}: it is no command, no output, and no file`)
  return { kind: language === 'diff' ? 'change' : 'file', path: mark, line, text }
}
