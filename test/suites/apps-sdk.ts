import { suite } from '../suite.ts'

await suite('apps-sdk/**/*.test.ts', 'examples/**/*.test.ts')
