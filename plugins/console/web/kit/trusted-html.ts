interface HtmlPolicy {
  createHTML(text: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): HtmlPolicy
}

/** Undefined in a browser that knows no trusted types, and so enforces none. */
const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }

/**
 * What a library writes into the page as HTML: Mantine the text of its style sheets, Markdown's parser the name of an entity. There
 * is no markup in either, and text with markup in it is refused.
 */
export const refuseMarkup = () =>
  trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })

const inert = trustedTypes?.createPolicy('inert-document', { createHTML: (text) => text })

/** A document beside the page: nothing in it runs, and nothing is loaded. */
export const parseHtml = (html: string): Document =>
  new DOMParser().parseFromString(inert?.createHTML(html) ?? html, 'text/html')
