declare module 'agent-platform' {
  interface Facts {
    /** Never what was said. */
    'audio.transcribed': {
      readonly modelProvider: string
      readonly modelId: string
      readonly seconds: number | null
    }
    'audio.synthesized': {
      readonly modelProvider: string
      readonly modelId: string
      readonly characters: number
      readonly fileId: string
    }
  }
}
