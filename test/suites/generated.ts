// What is made from the packs; `UPDATE=1 npx tap test/suites/generated.ts` writes all of it anew.
import { suite } from '../suite.ts'

await suite('test/{conformance,map,patterns,picture}.test.ts', 'apps-sdk/client/types.test.ts')
