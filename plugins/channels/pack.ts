import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../outgoing/contract.ts'
import type {} from '../runs/contract.ts'
import { channelPart } from './archive-part.ts'
import { createDiscordKind } from './kinds/discord.ts'
import { createEmailKind } from './kinds/email.ts'
import { createSlackKind } from './kinds/slack.ts'
import { createTelegramKind } from './kinds/telegram.ts'
import { createWebhookKind } from './kinds/webhook.ts'
import { channelRoutes } from './routes.ts'
import { createChannelService } from './services/channels.ts'
import { createConversing } from './services/conversing.ts'
import { createFetching } from './services/fetching.ts'
import { createKinds } from './services/kinds.ts'
import { createSending } from './services/sending.ts'
import { ChannelSettings } from './settings.ts'
import { createChannelStore } from './store.ts'

/** Channels: people talk to an agent by the services that they use anyway. */
export default definePack({
  name: 'channels',
  area: 'Agents',
  summary: 'chat with agents over Telegram, Slack, Discord, email or webhooks',
  requires: ['agents', 'jobs', 'outgoing', 'runs'],
  settings: ChannelSettings,
  services: {
    channelStore: createChannelStore,
    kinds: createKinds,
    channelService: createChannelService,
    sending: createSending,
    conversing: createConversing,
    fetching: createFetching
  },
  routes: channelRoutes,
  contributes: {
    'archives.part': [{ make: channelPart }],
    'channels.kind': [
      { key: 'webhook', make: ({ outgoing }) => createWebhookKind(outgoing) },
      {
        key: 'telegram',
        make: ({ outgoing, settings }) => createTelegramKind(outgoing, settings.telegramUrl)
      },
      { key: 'slack', make: ({ outgoing, settings }) => createSlackKind(outgoing, settings.slackUrl) },
      { key: 'discord', make: ({ outgoing, settings }) => createDiscordKind(outgoing, settings.discordUrl) },
      { key: 'email', make: ({ outgoing }) => createEmailKind(outgoing) }
    ],
    'jobs.worker': [
      { key: 'channels.answer', make: ({ conversing }) => conversing.answering },
      { key: 'channels.send', make: ({ sending }) => sending.worker },
      { key: 'channels.fetch', make: ({ fetching }) => fetching.fetching },
      { key: 'channels.fetch-all', make: ({ fetching }) => fetching.sweeping },
      { key: 'channels.clean-up', make: ({ conversing }) => conversing.cleanUp }
    ]
  },
  on: {
    'runs.completed': { batch: ({ conversing }) => conversing.runsEnded },
    'runs.failed': { batch: ({ conversing }) => conversing.runsEnded },
    'runs.cancelled': { batch: ({ conversing }) => conversing.runsEnded }
  },
  cascade: { 'agents.deleted': { message: 'agentId', conversation: 'agentId', channel: 'agentId' } }
})
