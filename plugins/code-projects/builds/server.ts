import { previewHeaders } from '../previews/headers.ts'

/**
 * A program for the computer: serves a folder as previews are served, at the same path and with the same headers, so that what works
 * there works here.
 */
export const serverProgram = `
const { createReadStream, statSync } = require('node:fs')
const { createServer } = require('node:http')
const { join, normalize } = require('node:path')
const [root, base, port, single] = process.argv.slice(2)
const headers = ${JSON.stringify(previewHeaders(false))}
const types = { html: 'text/html', htm: 'text/html', css: 'text/css', js: 'text/javascript', mjs: 'text/javascript', json: 'application/json', webmanifest: 'application/manifest+json', svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', ico: 'image/x-icon', woff: 'font/woff', woff2: 'font/woff2', wasm: 'application/wasm', txt: 'text/plain', xml: 'application/xml' }
const isFile = (path) => { try { return statSync(join(root, path)).isFile() } catch { return false } }
createServer((request, reply) => {
  let path = ''
  try { path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname) } catch {}
  if (!path.startsWith(base)) return reply.writeHead(404).end()
  path = normalize('/' + path.slice(base.length)).slice(1)
  const tried = [path === '' || path.endsWith('/') ? path + 'index.html' : path, path + '.html']
  if (single === 'true') for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) tried.push(path.slice(at + 1))
  if (single === 'true' && !/\\.[^/]+$/.test(path)) tried.push('index.html')
  const found = tried.find((it) => it !== '' && isFile(it))
  if (!found) return reply.writeHead(404, headers).end()
  const type = types[found.slice(found.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  reply.writeHead(200, { ...headers, 'content-type': /^text|json|xml/.test(type) ? type + '; charset=utf-8' : type })
  createReadStream(join(root, found)).on('error', () => reply.destroy()).pipe(reply)
}).listen(Number(port), '127.0.0.1')
`

/** Ends when something listens at the port. */
export const waitProgram = `
const { connect } = require('node:net')
const look = () => connect(Number(process.argv[1]), '127.0.0.1')
  .on('connect', () => process.exit(0))
  .on('error', () => setTimeout(look, 50))
look()
`
