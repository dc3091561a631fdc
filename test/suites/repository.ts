import { suite } from '../suite.ts'

await suite('test/{architecture,capabilities,deployment,rules,specification,suites}.test.ts')
