import { suite } from '../suite.ts'

await suite('plugins/{compute,models,outgoing}/**/*.test.ts')
