import { suite } from '../suite.ts'

await suite(
  'plugins/!(a2a|access|app-functions|app-storage|autonomy|compute|connections|identity|jobs|mcp|mcp-server|models|outgoing|runs|sandbox|sessions|spaces|tasks|toolbox|tools|ui-plugins|workflows)/**/*.test.ts'
)
