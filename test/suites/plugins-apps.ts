import { suite } from '../suite.ts'

await suite('plugins/{app-functions,app-storage,sandbox,ui-plugins}/**/*.test.ts')
