import { suite } from '../suite.ts'

await suite(
  'test/{architecture,capabilities,conformance,deployment,map,picture,rules,specification,suites}.test.ts'
)
