import type { Provider } from './provider.ts'
import { further, icon, usual } from './provider.ts'

const graph = 'https://graph.microsoft.com'
const google = 'https://www.googleapis.com/auth'

/** Where people write to each other, and keep what they work on. */
export const work: readonly Provider[] = [
  {
    key: 'google',
    name: 'Google',
    icon: icon('G', '#1a5fce'),
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    scopes: [
      usual('openid', 'Know that it is you'),
      usual(`${google}/userinfo.email`, 'See your e-mail address'),
      further(`${google}/gmail.readonly`, 'Read your mail'),
      further(`${google}/gmail.send`, 'Send mail in your name'),
      further(`${google}/calendar.readonly`, 'See your calendars'),
      further(`${google}/calendar.events`, 'Make and change events in your calendars'),
      further(`${google}/drive.readonly`, 'Read all files in your Drive'),
      further(`${google}/drive.file`, 'Make files in your Drive, and change those'),
      further(`${google}/spreadsheets`, 'Read and change your spreadsheets'),
      further(`${google}/documents`, 'Read and change your documents')
    ],
    hosts: ['*.googleapis.com'],
    auth: 'post',
    // Without these there is no refresh token, or only at the first consent.
    params: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    account: {
      url: 'https://openidconnect.googleapis.com/v1/userinfo',
      label: ['/email', '/name'],
      id: ['/sub']
    },
    revocation: { url: 'https://oauth2.googleapis.com/revoke', style: 'rfc7009' }
  },
  {
    key: 'microsoft',
    name: 'Microsoft 365',
    icon: icon('M', '#0a5c8a'),
    authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scopes: [
      usual('offline_access', 'Stay connected while you are away'),
      usual('User.Read', 'See your profile'),
      further('Mail.Read', 'Read your mail'),
      further('Mail.Send', 'Send mail in your name'),
      further('Calendars.ReadWrite', 'Read and change your calendars'),
      further('Files.Read.All', 'Read the files that you can read'),
      further('Files.ReadWrite', 'Read and change your files'),
      further('Chat.ReadWrite', 'Read and write your chats in Teams')
    ],
    hosts: ['graph.microsoft.com'],
    auth: 'post',
    account: { url: `${graph}/v1.0/me`, label: ['/userPrincipalName', '/displayName'], id: ['/id'] }
  },
  {
    key: 'slack',
    name: 'Slack',
    icon: icon('S', '#611f69'),
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    scopes: [
      usual('users:read', 'See who is in your workspace'),
      usual('channels:read', 'See which public channels there are'),
      further('channels:history', 'Read public channels'),
      further('groups:history', 'Read private channels that you are in'),
      further('im:history', 'Read your direct messages'),
      further('chat:write', 'Write messages in your name'),
      further('files:read', 'Read files that were shared with you'),
      further('search:read', 'Search what you can read')
    ],
    hosts: ['slack.com', 'files.slack.com'],
    auth: 'post',
    // What a person lets the platform do stands apart from what a bot may.
    scopeParam: 'user_scope',
    scopeSeparator: ',',
    tokensAt: '/authed_user',
    account: {
      url: 'https://slack.com/api/auth.test',
      method: 'POST',
      label: ['/user', '/team'],
      id: ['/user_id']
    },
    revocation: { url: 'https://slack.com/api/auth.revoke', style: 'bearer' },
    errors: {
      invalid_code: 'invalid_grant',
      code_already_used: 'invalid_grant',
      invalid_refresh_token: 'invalid_grant',
      token_revoked: 'invalid_grant',
      bad_client_secret: 'invalid_client',
      invalid_client_id: 'invalid_client'
    }
  },
  {
    key: 'notion',
    name: 'Notion',
    icon: icon('N', '#3b3a36'),
    authorizationUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    // It knows no scopes: people choose pages instead.
    scopes: [],
    hosts: ['api.notion.com'],
    auth: 'basic',
    params: { owner: 'user' },
    headers: { 'notion-version': '2022-06-28' },
    jsonRequests: true,
    account: {
      url: 'https://api.notion.com/v1/users/me',
      headers: { 'notion-version': '2022-06-28' },
      label: ['/bot/workspace_name', '/name'],
      id: ['/id']
    },
    revocation: { url: 'https://api.notion.com/v1/oauth/revoke', style: 'json' }
  },
  {
    key: 'asana',
    name: 'Asana',
    icon: icon('As', '#b23a48'),
    authorizationUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    scopes: [usual('default', 'Read and change what you can in your workspaces')],
    hosts: ['app.asana.com'],
    auth: 'post',
    account: {
      url: 'https://app.asana.com/api/1.0/users/me',
      label: ['/data/email', '/data/name'],
      id: ['/data/gid']
    },
    revocation: { url: 'https://app.asana.com/-/oauth_revoke', style: 'rfc7009' }
  },
  {
    key: 'airtable',
    name: 'Airtable',
    icon: icon('At', '#8a6300'),
    authorizationUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    scopes: [
      usual('user.email:read', 'See your e-mail address'),
      usual('data.records:read', 'Read records of the bases that you choose'),
      further('data.records:write', 'Make and change records of those bases'),
      further('schema.bases:read', 'See how those bases are built')
    ],
    hosts: ['api.airtable.com', 'content.airtable.com'],
    auth: 'basic',
    account: { url: 'https://api.airtable.com/v0/meta/whoami', label: ['/email', '/id'], id: ['/id'] }
  }
]
