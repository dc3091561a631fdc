import { defineApp } from 'agent-platform-app'
import * as Type from 'typebox'

export default defineApp({
  manifest: {
    id: 'APP_ID',
    name: 'APP_NAME',
    version: '0.1.0',
    description: 'Greets people, and knows how often it did',
    capabilities: [{ name: 'agents.read', reason: 'Signs greetings with the name of the agent that asked' }],
    storage: { keyValue: true },
    functions: [
      {
        name: 'greet',
        title: 'Greet a person',
        description: 'Makes a greeting for a person, and counts how often that was done for them.',
        input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
        output: Type.Object({ text: Type.String(), times: Type.Integer() }),
        tool: true,
        page: 'main'
      }
    ],
    pages: [{ name: 'main', title: 'APP_NAME', entry: 'pages/main.html' }]
  },
  functions: {
    async greet({ name }, { platform, storage, about, console }) {
      const key = `greeted/${name}`
      const before = await storage.get({ key })
      const times = Number(before?.value ?? 0) + 1
      await storage.set({ key, value: times })
      console.log(`greeted for the ${times}. time`)
      const agent = about.agentId && (await platform.agents.read({ agentId: about.agentId }))
      return { text: `Hello ${name}!${agent ? ` ${agent.name}` : ''}`, times }
    }
  }
})
