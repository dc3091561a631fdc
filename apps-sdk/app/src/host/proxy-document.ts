/**
 * What a page may do: run its own inline code, and show what it has in it. The page's own document says the same; its frame cannot
 * leave this policy by going elsewhere either, as the frame around it says which addresses there are: none.
 */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; " +
  "media-src data: blob:; connect-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'"

/**
 * The frame between a host and a page, as MCP Apps has it: makes the page's frame of the document that the host sends, and passes
 * messages on.
 */
export const proxyDocument = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<style>html,body,iframe{border:0;display:block;height:100%;margin:0;width:100%}</style><body><script>
const page = document.createElement('iframe')
page.setAttribute('sandbox', 'allow-scripts allow-forms')
const own = 'ui/notifications/sandbox-'
const isOwn = (data) => String(Object(data).method).startsWith(own)
addEventListener('message', ({ source, data }) => {
  if (source === parent && isOwn(data)) {
    page.srcdoc = data.params.html
    document.body.append(page)
  } else if (source === parent) page.contentWindow?.postMessage(data, '*')
  else if (source === page.contentWindow && !isOwn(data)) parent.postMessage(data, '*')
})
parent.postMessage({ jsonrpc: '2.0', method: own + 'proxy-ready', params: {} }, '*')
</script>`
