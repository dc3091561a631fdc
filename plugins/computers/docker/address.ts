/** Where the daemon listens; or why it is none whose containers could have files and sockets of this machine. */
export function socketOf(host: string): { readonly path: string } | { readonly refused: string } {
  const path = host.replace(/^unix:\/\//, '')
  if (path.startsWith('/')) return { path }
  // No more of it than how it begins: there may be a password in it.
  const [kind = ''] = /^[a-z0-9+.-]+:\/\//i.exec(host) ?? []
  return {
    refused: `DOCKER_HOST names a daemon that may be elsewhere (${kind || 'no'} socket of this machine)`
  }
}
