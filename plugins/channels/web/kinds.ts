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
    summary: 'An application of yours, by its slash command.',
    fields: [
      { name: 'token', label: 'Token of the bot', isSecret: true },
      { name: 'publicKey', label: 'Public key of the application' }
    ]
  },
  {
    kind: 'email',
    title: 'Email',
    summary: 'Mail is read by IMAP, or posted by your mail server, and answered by SMTP.',
    fields: [
      { name: 'host', label: 'SMTP server' },
      { name: 'port', label: 'SMTP port (587 or 465)', isNumber: true },
      { name: 'from', label: 'From address' },
      { name: 'user', label: 'SMTP user', isOptional: true },
      { name: 'password', label: 'SMTP password', isSecret: true, isOptional: true },
      { name: 'imapHost', label: 'IMAP server, to read an inbox', isOptional: true },
      { name: 'imapPort', label: 'IMAP port (993)', isNumber: true, isOptional: true },
      { name: 'imapUser', label: 'IMAP user, if not that of SMTP', isOptional: true },
      { name: 'imapPassword', label: 'IMAP password, if not that of SMTP', isSecret: true, isOptional: true },
      { name: 'verifier', label: 'Server that checks senders by DMARC (authserv-id)', isOptional: true }
    ]
  }
]
