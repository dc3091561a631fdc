import { suite } from '../suite.ts'

await suite(
  'plugins/!(a2a|access|app-functions|app-storage|autonomy|channels|code-projects|compute|computers|connections|identity|jobs|liaison|mcp|mcp-server|models|openai|outgoing|runs|runtimes|sandbox|sessions|spaces|tasks|toolbox|tools|ui-plugins|workflows)/**/*.test.ts'
)
