import type { Static } from 'typebox'
import { Type } from 'typebox'

const base = (env: string, value: string, description: string) =>
  Type.String({ env, default: value, pattern: '^https?://[^\\s?#]+[^/\\s?#]$', description })

export const ChannelSettings = Type.Object({
  telegramUrl: base(
    'CHANNELS_TELEGRAM_URL',
    'https://api.telegram.org',
    'Address of the Bot API of Telegram'
  ),
  slackUrl: base('CHANNELS_SLACK_URL', 'https://slack.com/api', 'Address of the Web API of Slack'),
  discordUrl: base('CHANNELS_DISCORD_URL', 'https://discord.com/api/v10', 'Address of the API of Discord'),
  fetchSeconds: Type.Integer({
    env: 'CHANNELS_FETCH_SECONDS',
    minimum: 1,
    maximum: 3_600,
    default: 20,
    description: 'Time between two looks into a mailbox, in seconds'
  }),
  messageDays: Type.Integer({
    env: 'CHANNELS_MESSAGE_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'How long messages that were answered are kept'
  })
})
export type ChannelSettings = Static<typeof ChannelSettings>
