/** A response that is stored: never what was asked or said. */
interface AboutResponse {
  readonly id: string
  readonly runId: string
  readonly agentId: string
}

declare module 'agent-platform' {
  interface Facts {
    'openai.response_stored': AboutResponse
    'openai.response_deleted': { id: string }
  }
}
