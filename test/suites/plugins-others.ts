import { suite } from '../suite.ts'

await suite(
  'plugins/!(a2a|access|app-functions|app-storage|archives|audio|autonomy|channels|code-projects|compute|computers|connections|embeddings|extraction|files|identity|images|jobs|knowledge|liaison|library|mcp|mcp-server|memory|models|openai|outgoing|retrieval|runs|runtimes|sandbox|sessions|skills|spaces|storage|tasks|toolbox|tools|ui-plugins|workflows)/**/*.test.ts'
)
