import { suite } from '../suite.ts'

await suite(
  'plugins/{archives,audio,embeddings,extraction,files,images,knowledge,library,memory,retrieval,skills,storage}/**/*.test.ts'
)
