/** What a service is asked for when it is connected. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly isSecret?: boolean
  readonly isNumber?: boolean
  readonly isOptional?: boolean
}
export interface Kind {
  readonly kind: string
  readonly title: string
  /** How people reach the agent by it. */
  readonly summary: string
  readonly fields: readonly Field[]
}

export const kinds: readonly Kind[] = [
  {
    kind: 'webhook',
    title: 'Webhook',
    summary: 'Your own program posts what people say, and is posted what the agent answers.',
    fields: [{ name: 'url', label: 'Address that answers are posted to' }]
  },
  {
    kind: 'telegram',
    title: 'Telegram',
    summary: 'A bot of yours, in private chats and in groups.',
    fields: [{ name: 'token', label: 'Token of the bot', isSecret: true }]
  },
  {
    kind: 'slack',
    title: 'Slack',
    summary: 'An app of your workspace, in channels and direct messages.',
    fields: [
      { name: 'token', label: 'Token of the bot', isSecret: true },
      { name: 'signingSecret', label: 'Signing secret', isSecret: true }
    ]
  },
  {
    kind: 'discord',
    title: 'Discord',
    summary: 'An application of yours that is asked by its command.',
    fields: [
      { name: 'token', label: 'Token of the bot', isSecret: true },
      { name: 'publicKey', label: 'Public key of the application' }
    ]
  },
  {
    kind: 'email',
    title: 'Email',
    summary: 'Mail to an inbox, or that your server hands in, is answered by mail.',
    fields: [
      { name: 'host', label: 'SMTP server' },
      { name: 'port', label: 'Port', isNumber: true },
      { name: 'from', label: 'Address that it writes from' },
      { name: 'user', label: 'User', isOptional: true },
      { name: 'password', label: 'Password', isSecret: true, isOptional: true },
      { name: 'imapHost', label: 'IMAP server whose inbox is read', isOptional: true },
      { name: 'imapPort', label: 'Its port (993)', isNumber: true, isOptional: true },
      { name: 'imapUser', label: 'Its user, where another', isOptional: true },
      { name: 'imapPassword', label: 'Its password, where another', isSecret: true, isOptional: true },
      { name: 'verifier', label: 'Server that verifies senders (authserv-id)', isOptional: true }
    ]
  }
]
