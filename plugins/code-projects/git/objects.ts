import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'

const compress = promisify(deflate)

/** A file that is to be committed. */
export interface Committed {
  readonly path: string
  readonly content: Buffer
}
export interface About {
  /** The commit before, where there is one. */
  readonly parent: string | undefined
  readonly author: string
  readonly email: string
  readonly message: string
  readonly at: Date
}
interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob'
  readonly body: Buffer
}
interface Folder {
  readonly files: Map<string, { readonly id: string; readonly mode: string }>
  readonly folders: Map<string, Folder>
}
const types = { commit: 1, tree: 2, blob: 3 }

const idOf = ({ type, body }: GitObject): string =>
  createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex')

/** A commit of exactly these files, as the objects that it needs: nothing of the one before is looked at. */
export function commitOf(
  files: readonly Committed[],
  about: About
): { id: string; objects: readonly GitObject[] } {
  const objects = new Map<string, GitObject>()
  const add = (object: GitObject): string => {
    const id = idOf(object)
    objects.set(id, object)
    return id
  }
  const root: Folder = { files: new Map(), folders: new Map() }
  for (const { path, content } of files) {
    const names = path.split('/')
    const name = names.pop() as string
    let at = root
    for (const it of names) {
      const next = at.folders.get(it) ?? { files: new Map(), folders: new Map() }
      at.folders.set(it, next)
      at = next
    }
    const mode = content.subarray(0, 2).toString() === '#!' ? '100755' : '100644'
    at.files.set(name, { id: add({ type: 'blob', body: content }), mode })
  }
  const treeOf = ({ files, folders }: Folder): string => {
    const entries = [
      ...[...files].map(([name, { id, mode }]) => ({ name, key: name, id, mode })),
      ...[...folders].map(([name, inside]) => ({ name, key: `${name}/`, id: treeOf(inside), mode: '40000' }))
    ].map((it) => ({ ...it, order: Buffer.from(it.key) }))
    entries.sort((a, b) => Buffer.compare(a.order, b.order))
    const parts = entries.flatMap(({ name, id, mode }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(id, 'hex')
    ])
    return add({ type: 'tree', body: Buffer.concat(parts) })
  }
  const who = `${plain(about.author)} <${plain(about.email)}> ${Math.floor(about.at.getTime() / 1_000)} +0000`
  const lines = [
    `tree ${treeOf(root)}`,
    ...(about.parent === undefined ? [] : [`parent ${about.parent}`]),
    `author ${who}`,
    `committer ${who}`,
    '',
    `${about.message.trimEnd()}\n`
  ]
  const id = add({ type: 'commit', body: Buffer.from(lines.join('\n')) })
  return { id, objects: [...objects.values()] }
}

/** Without what would end a name. */
const plain = (text: string) => text.replace(/[<>\n\0]/g, ' ').trim() || 'agent'

/** Objects as they are sent, in version 2 of the format of packs. */
export async function packOf(objects: readonly GitObject[]): Promise<Buffer> {
  const head: Buffer = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length, 8)
  const parts: Buffer[] = [head]
  for (const { type, body } of objects) parts.push(headOf(types[type], body.length), await compress(body))
  const pack = Buffer.concat(parts)
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

/** Type and size of an object: seven bits a byte, of the first one four. */
function headOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80
    bytes.push(left & 0x7f)
  }
  return Buffer.from(bytes)
}
