import { suite } from '../suite.ts'

await suite('plugins/{sessions,toolbox,tools}/**/*.test.ts')
