/** A mention, a link or a date in Slack's markup, without the angle brackets, as `readSlack` shows it. */
function shown(markup: string): string {
  const bar = markup.indexOf('|')
  const target = bar < 0 ? markup : markup.slice(0, bar)
  const label = bar < 0 ? '' : markup.slice(bar + 1)
  const name = target.slice(1)
  if (target.startsWith('@')) return `@${label.replace(/^@/, '') || name}`
  if (target.startsWith('#')) return `#${label.replace(/^#/, '') || name}`
  if (target.startsWith('!')) return label || `@${name.split('^')[1] ?? name}`
  const address = target.replace(/^(?:mailto|tel):/, '')
  return label === '' || label === address || label === target ? address : `[${label}](${target})`
}

/**
 * The text of a message of Slack, whose mentions (`<@U1>`, `<#C1|general>`, `<!here>`), links (`<https://…|label>`) and entities
 * become readable text. `bot`: the app's own user ID; a mention of it at the beginning is left out.
 */
export function readSlack(text: string, bot?: string): string {
  const own = bot === undefined ? '' : `<@${bot}`
  const isCalled = own !== '' && text.startsWith(own) && ['>', '|'].includes(text[own.length] as string)
  const said = isCalled ? text.slice(text.indexOf('>') + 1).trimStart() : text
  return said
    .replace(/<([^<>]+)>/g, (_, markup: string) => shown(markup))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/**
 * Text as Slack accepts it in `markdown_text`: without markup of its own, so that nothing that a model writes notifies people
 * (`<!channel>`, `<@U1>`). Marks of Markdown quotations stay.
 */
export const writeSlack = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .split('\n')
    .map((line) => {
      const quote = /^[ >]*/.exec(line)?.[0] ?? ''
      return quote + line.slice(quote.length).replaceAll('>', '&gt;')
    })
    .join('\n')
