interface Page {
  readonly nonce: string
  /** Path of the reference's script. */
  readonly script: string
}

/** Everything that would leave this server, or point to the reference's makers, is off. */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  defaultOpenFirstTag: false,
  persistAuth: false,
  // A section that is linked to gets the focus, and would be outlined as if it were a field.
  customCss: '.section:focus-visible { outline: none }'
}

/** Keeps a library in the script from trying out `eval`, which the policy would refuse and report. */
const beforehand = '__zod_globalConfig = { jitless: true }'

export function htmlOf({ nonce, script }: Page): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Agent Platform API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <noscript>The API reference needs JavaScript; the OpenAPI document lies at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script nonce="${nonce}">${beforehand}</script>
    <script nonce="${nonce}" src="${script}"></script>
    <script nonce="${nonce}">
      Scalar.createApiReference('#app', { ...${JSON.stringify(configuration)}, servers: [{ url: location.origin }] })
    </script>
  </body>
</html>
`
}
