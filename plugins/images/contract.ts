declare module 'agent-platform' {
  interface Facts {
    /** Never what was asked for. */
    'images.generated': {
      readonly agentId: string
      readonly fileIds: readonly string[]
      readonly modelProvider: string
      readonly modelId: string
    }
  }
}
