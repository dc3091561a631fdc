import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser, ModifiableInstruction } from 'dockerfile-ast'
import { root } from '../../kernel/deployment.ts'

export interface Instruction {
  readonly keyword: string
  /** Without the flags, as it stands there, on one line. */
  readonly text: string
  readonly flags: Readonly<Record<string, string>>
}

/** From one FROM to the next one. */
export interface Stage {
  readonly name: string | null
  readonly image: string
  readonly instructions: readonly Instruction[]
}

/** The Dockerfile as it is built: its stages, in order. */
export function readDockerfile(): readonly Stage[] {
  const stages: (Omit<Stage, 'instructions'> & { instructions: Instruction[] })[] = []
  const parsed = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  const froms = parsed.getFROMs()
  for (const line of parsed.getInstructions()) {
    const keyword = line.getKeyword()
    if (keyword === 'FROM') {
      const from = froms[stages.length]
      const image = `${from?.getImage()}`
      stages.push({ name: from?.getBuildStage() ?? null, image, instructions: [] })
      continue
    }
    const given = line instanceof ModifiableInstruction ? line.getFlags() : []
    const flags = Object.fromEntries(given.map((flag) => [flag.getName(), flag.getValue() ?? '']))
    const text = (line.getRawArgumentsContent() ?? '').replace(/\\\n\s*/g, ' ')
    stages.at(-1)?.instructions.push({ keyword, text, flags })
  }
  return stages
}

/** The exec form; undefined where a shell would run it. */
export function execForm(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text)
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined
  } catch {
    return undefined
  }
}

export const last = (stage: Stage, keyword: string): Instruction | undefined =>
  stage.instructions.findLast((it) => it.keyword === keyword)
