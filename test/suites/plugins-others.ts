import { suite } from '../suite.ts'

await suite(
  'plugins/!(autonomy|compute|jobs|mcp|mcp-server|models|outgoing|runs|sessions|tasks|toolbox|tools|workflows)/**/*.test.ts'
)
