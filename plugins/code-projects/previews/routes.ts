import type { App, Kernel, Reply, Request } from 'agent-platform'
import { forbidden, gone, notFound, rangeOf } from 'agent-platform'
import type { CodeProjectSettings } from '../settings.ts'
import type { Addresses } from './addresses.ts'
import type { Contents } from './contents.ts'
import { previewHeaders } from './headers.ts'
import { contentTypeOf } from './media-types.ts'
import { readPreview, readPreviewFile } from './schemas.ts'
import type { Found, Sites } from './sites.ts'

interface Deps extends Pick<Kernel, 'detach' | 'limits'> {
  settings: CodeProjectSettings
  addresses: Addresses
  sites: Sites
  contents: Contents
}

/** Addresses a minute that lead nowhere. */
const GUESSES = 300

/** Previews: files of strangers, for everyone. */
export function previewRoutes(app: App, { settings, addresses, sites, contents, detach, limits }: Deps) {
  const common = previewHeaders(addresses.isApart)
  const public_ = { by: 'public', limit: 'none' } as const

  app.route({
    method: ['GET', 'HEAD'],
    url: '/previews/:slug',
    schema: readPreview,
    config: public_,
    async handler(request, reply) {
      const { slug } = request.params as { slug: string }
      await limits.count('files', request.ip, settings.requestsPerMinute)
      await publicationOf(slug, request.ip)
      const query = queryOf(request as Request)
      return reply
        .code(303)
        .headers({ location: `${addressOf(slug, '')}${query}`, 'cache-control': 'no-cache' })
        .send(null as never)
    }
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/previews/:slug/*',
    schema: readPreviewFile,
    config: public_,
    async handler(request, reply) {
      const { slug, '*': path } = request.params as { slug: string; '*': string }
      await limits.count('files', request.ip, settings.requestsPerMinute)
      return serve(request as Request, reply as Reply, slug, path)
    }
  })

  /** On the platform’s own origin as a path, so that it works whatever name the platform is reached by. */
  const addressOf = (slug: string, path: string) =>
    `${addresses.hostOf(slug) === undefined ? `/v1/previews/${slug}/` : addresses.of(slug)}${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`

  async function publicationOf(slug: string, ip: string) {
    const site = await sites.of(slug)
    if (!site) {
      // Nothing is remembered of what is not there: guesses cost a look at the database.
      await limits.count('guesses', ip, GUESSES)
      throw notFound('Preview')
    }
    if (site.publicationId === null)
      throw gone('The preview was taken away, or is not there yet', {
        code: 'preview_unpublished',
        cause: null
      })
    return { ...site, files: await sites.files(site.publicationId) }
  }

  async function serve(request: Request, reply: Reply, slug: string, path: string) {
    const { headers } = request
    const { files, singlePage } = await publicationOf(slug, request.ip)
    const host = addresses.hostOf(slug)
    const redirect = (to: string) =>
      reply
        .code(303)
        .headers({
          ...common,
          location: `${addressOf(slug, to)}${queryOf(request)}`,
          'cache-control': 'no-cache'
        })
        .send(null)
    if (host !== undefined && request.host !== host) return redirect(path)
    // A worker of the page would answer for the origin that the page is not of.
    if (headers['service-worker'] !== undefined && !addresses.isApart)
      throw forbidden('Previews have no service workers here', { code: 'sandboxed', cause: null })
    const file =
      files.get(path === '' || path.endsWith('/') ? `${path}index.html` : path) ?? files.get(`${path}.html`)
    if (file) return send(request, reply, file, slug)
    if (path !== '' && !path.endsWith('/') && files.has(`${path}/index.html`)) return redirect(`${path}/`)
    const isPage = isNavigation(request, path)
    // What a page names from where it lies is found from where the app lies.
    const beside = singlePage && !isPage ? suffixIn(files, path) : undefined
    if (beside) return send(request, reply, beside, slug)
    const fallback = singlePage && isPage ? files.get('index.html') : undefined
    if (fallback) return send(request, reply, fallback, slug)
    const missing = isPage ? files.get('404.html') : undefined
    if (missing) return send(request, reply.code(404), missing, slug)
    reply.headers(common)
    throw notFound('File')
  }

  async function send(request: Request, reply: Reply, file: Found, slug: string) {
    const { headers, method } = request
    const { etag, size, path } = file
    const isFound = reply.statusCode !== 404
    reply.headers({
      ...common,
      etag,
      // What lies below the number of a publication never changes.
      'cache-control':
        slug.includes('~') && isFound ? 'public, max-age=31536000, immutable' : 'public, no-cache'
    })
    if (isFound && names(headers['if-none-match'], etag)) return reply.code(304).send(null)
    const holds = headers['if-range'] === undefined || headers['if-range'] === etag
    const range = holds && isFound && method === 'GET' ? rangeOf(headers.range, size) : undefined
    reply.headers({
      'content-type': contentTypeOf(path),
      'content-length': range ? range.end - range.start + 1 : size
    })
    if (method === 'HEAD') return reply.send(null)
    if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    const bytes = await contents.of(file)
    if (bytes) return reply.send(range ? bytes.subarray(range.start, range.end + 1) : bytes)
    const stream = await contents.stream(file, range)
    // A long download ends with the pack, not with the generation that began it.
    detach(request, () => stream.destroy())
    return reply.send(stream)
  }
}

/** The file at the longest end of the path at which there is one. */
function suffixIn(files: ReadonlyMap<string, Found>, path: string): Found | undefined {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const found = files.get(path.slice(at + 1))
    if (found) return found
  }
  return undefined
}

/** Something that a person opens, and no part of a page. */
function isNavigation({ headers }: Request, path: string): boolean {
  const { 'sec-fetch-dest': dest, accept = '' } = headers
  if (dest !== undefined) return ['document', 'iframe', 'frame'].includes(dest.toString())
  return accept.includes('text/html') || !/\../.test(path.slice(path.lastIndexOf('/') + 1))
}

const queryOf = ({ url }: Request) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** Whether a list of entity tags names this one, also weakly; `*` names each. */
const names = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((given) => ['*', etag].includes(given.trim().replace(/^W\//, ''))) ?? false
