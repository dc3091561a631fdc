import { definePack } from 'agent-platform'
import type {} from './contract.ts'
import { speechRoutes } from './routes/speech.ts'
import { transcriptionRoutes } from './routes/transcriptions.ts'
import { createAudioService } from './service.ts'
import { AudioSettings } from './settings.ts'
import { createEspeak } from './speech/espeak.ts'
import { createMoonshine } from './transcription/provider.ts'

/** Audio: speech becomes text, and text speech. */
export default definePack({
  name: 'audio',
  area: 'Agents',
  summary: 'speech-to-text and text-to-speech, offline or through a provider',
  requires: ['agents', 'files', 'models'],
  settings: AudioSettings,
  services: { audioService: createAudioService, moonshine: createMoonshine },
  routes(app, deps) {
    transcriptionRoutes(app, deps)
    speechRoutes(app, deps)
  },
  contributes: {
    'models.provider': [
      { key: 'moonshine', order: 950, make: ({ moonshine }) => moonshine },
      { key: 'espeak-ng', order: 960, make: createEspeak }
    ]
  }
})
