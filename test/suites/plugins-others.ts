import { suite } from '../suite.ts'

await suite('plugins/!(compute|mcp|mcp-server|models|outgoing|runs|sessions|toolbox|tools)/**/*.test.ts')
