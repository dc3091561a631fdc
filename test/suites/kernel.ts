import { suite } from '../suite.ts'

await suite(
  'kernel/{contract,events,execution,http,idempotency,identity,limits,packs,streams,untrusted}/**/*.test.ts',
  'kernel/{,database/}*.test.ts'
)
