import { suite } from '../suite.ts'

await suite('apps-sdk/app/*.test.ts', 'apps-sdk/client/!(types).test.ts', 'examples/**/*.test.ts')
