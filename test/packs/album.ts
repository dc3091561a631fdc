import { join } from 'node:path'
import type { Booted } from '../boot.ts'
import { packText, writeFiles } from '../pack-folders.ts'
import type { Scope } from './stage.ts'
import { fixtures, stage, workshop } from './stage.ts'

/** A request for a late page, until it is told to go. */
export interface Held {
  go(): void
}

/** A pack that keeps pages, listens to letters, carries letters, and takes its time when it is told to. */
const album: Readonly<Record<string, string>> = {
  'pack.ts': packText(
    'album',
    `summary: 'pages that stay',
     settings: Type.Object({ title: Type.Optional(Type.String()), code: Type.Optional(Type.String({ secret: true })) }),
     routes(app, { knex, settings }) {
       app.post('/album/pages', async ({ principal: { project, owner, id } }) => {
         await knex('album.page').insert({ project, owner, id: String(Date.now()) + Math.random() })
         return { data: settings }
       })
       app.get('/album/pages', async () => ({ data: await knex('album.page'), settings }))
       app.post('/album/slow', async ({ principal: { project, owner } }) => {
         await new Promise((go) => channel('album.held').publish({ go }))
         await knex('album.page').insert({ project, owner, id: 'late' })
         return { data: 'kept' }
       })
     },
     on: { 'letters.sent': () => async ({ data }) => { throw new Error('no place for ' + data.text) } },
     contributes: { 'letters.carrier': [{ key: 'album', make: () => ({ name: 'the album' }) }] }`,
    `import { channel } from 'node:diagnostics_channel'
     import { Type } from 'typebox'`
  ),
  'migrations/0001-create-page.ts': `
    export const up = (knex) => knex.raw('create table album.page (project text, owner text, id text)')
    export const down = (knex) => knex.raw('drop table album.page')`
}
/** Platforms with the album, of a folder that is theirs or another's. */
export async function albums(t: Scope, folder?: string, beside?: Booted) {
  const place = folder ?? (await workshop(t)).folder
  if (!folder) await writeFiles(join(place, 'album'), album)
  const packs = ['letters', 'album']
  const booted = await stage(t, packs, { folders: [fixtures, place], ...(beside && { beside }) })
  return { ...booted, admin: booted.admin, folder: place }
}
