import { suite } from '../suite.ts'

await suite(
  'plugins/!(app-functions|app-storage|autonomy|compute|jobs|mcp|mcp-server|models|outgoing|runs|sandbox|sessions|tasks|toolbox|tools|ui-plugins|workflows)/**/*.test.ts'
)
