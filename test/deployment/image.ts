import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, constants, copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { root } from '../../kernel/deployment.ts'
import { filesOfContext } from './context.ts'
import type { Instruction, Stage } from './dockerfile.ts'
import { execForm, last, readDockerfile } from './dockerfile.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** Who runs what is in an image: nobody, where this process may choose. */
export const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
const ownerOf = () => account ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

/** What a Dockerfile makes, in a folder instead of a container. */
export interface Image {
  /** A path of the image on this machine. */
  place(path: string): string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly cmd: readonly string[]
  readonly healthcheck: readonly string[]
}

/** Does what the Dockerfile says, in order: copies what the context has, runs what is to be run. */
export async function buildImage(t: Scope): Promise<Image> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'agent-platform-image-')))
  t.teardown(() => rm(base, { recursive: true, force: true }))
  chmodSync(base, 0o755)
  const files = filesOfContext()
  const stages = new Map<string | null, string>()
  let made: Image | undefined
  for (const [index, stage] of readDockerfile().entries()) {
    const folder = join(base, String(index))
    stages.set(stage.name, folder)
    made = build(stage, folder, files, stages)
  }
  return made as Image
}

function build(
  stage: Stage,
  folder: string,
  files: readonly string[],
  stages: ReadonlyMap<string | null, string>
): Image {
  const bin = join(folder, 'usr/local/bin')
  mkdirSync(bin, { recursive: true })
  // The one thing of the base image that counts here.
  copyFileSync(process.execPath, join(bin, 'node'), constants.COPYFILE_FICLONE)
  const env: Record<string, string> = { PATH: [bin, process.env.PATH].join(':') }
  let workdir = '/'
  const place = (path: string) => join(folder, resolve(workdir, path))

  function run({ text }: Instruction) {
    if (ALL.test(text)) return installed(place('.'))
    // Packages of the system are no folder's: they are those of this machine.
    if (text.startsWith('apt-get ')) return
    const { uid, gid } = ownerOf()
    const here = text.replace(/(?<=\s)\/(?=[a-z])/g, `${folder}/`).replaceAll('1000:1000', `${uid}:${gid}`)
    // What was downloaded for the installation that tests are run in is not downloaded again.
    const options = {
      cwd: place('.'),
      env: { ...env, HOME: process.env.HOME, npm_config_prefer_offline: 'true' }
    }
    const { status, stderr } = spawnSync('/bin/sh', ['-c', here], { ...options, encoding: 'utf8' })
    if (status !== 0) throw new Error(`RUN ${text}: ${stderr}`)
  }

  function copy({ text, flags }: Instruction) {
    const words = text.split(/\s+/)
    const to = words.pop() ?? ''
    const isFolder = to.endsWith('/')
    for (const source of words) {
      const target = isFolder ? join(place(to), basename(source)) : place(to)
      mkdirSync(dirname(target), { recursive: true })
      if (flags.from === undefined) copied(source, target)
      else
        cpSync(join(stages.get(flags.from) ?? '', source), target, {
          recursive: true,
          verbatimSymlinks: true
        })
    }
  }

  function copied(source: string, target: string) {
    const found = files.filter((path) => path === source || path.startsWith(`${source}/`))
    if (found.length === 0) throw new Error(`COPY ${source}: the context has none`)
    for (const path of found) {
      const to = target + path.slice(source.length)
      mkdirSync(dirname(to), { recursive: true })
      copyFileSync(join(root, path), to)
    }
  }

  for (const instruction of stage.instructions) {
    const { keyword, text } = instruction
    if (keyword === 'WORKDIR') {
      workdir = resolve(workdir, text)
      mkdirSync(place('.'), { recursive: true })
    } else if (keyword === 'ENV')
      for (const [, name = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) env[name] = value
    else if (keyword === 'COPY') copy(instruction)
    else if (keyword === 'RUN') run(instruction)
  }
  const healthcheck = last(stage, 'HEALTHCHECK')?.text.replace(/^CMD\s+/, '') ?? ''
  return {
    place,
    workdir: place('.'),
    env,
    cmd: execForm(last(stage, 'CMD')?.text ?? '') ?? [],
    healthcheck: execForm(healthcheck) ?? []
  }
}

/** Of all packages: those that are installed here. What is tried is an installation without those of development. */
const ALL = /^npm ci(?!.* --omit)/
function installed(folder: string) {
  const from = join(root, 'node_modules')
  const to = join(folder, 'node_modules')
  // By hard links where that is possible.
  for (const how of ['-al', '-a']) {
    if (spawnSync('cp', [how, from, to]).status === 0) return
    rmSync(to, { recursive: true, force: true })
  }
  throw new Error(`${from} cannot be copied`)
}

/** A new volume, which belongs to who runs the image. */
export async function volume(t: Scope): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'agent-platform-volume-')))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}
