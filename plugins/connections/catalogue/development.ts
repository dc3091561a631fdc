import type { Provider } from './provider.ts'
import { further, icon, usual } from './provider.ts'

/** Where code is written, planned and drawn. */
export const development: readonly Provider[] = [
  {
    key: 'github',
    name: 'GitHub',
    icon: icon('Gh', '#24292f'),
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scopes: [
      usual('read:user', 'See your profile'),
      further('user:email', 'See your e-mail addresses'),
      further('repo', 'Read and change all your repositories, private ones too'),
      further('public_repo', 'Read and change your public repositories'),
      further('read:org', 'See which organisations and teams you are in'),
      further('workflow', 'Change the workflows of your repositories'),
      further('gist', 'Make and change gists'),
      further('notifications', 'Read your notifications')
    ],
    hosts: ['api.github.com', 'uploads.github.com', 'api.githubcopilot.com'],
    auth: 'post',
    account: { url: 'https://api.github.com/user', label: ['/login'], id: ['/id'] },
    revocation: { url: 'https://api.github.com/applications/{clientId}/grant', style: 'github' },
    // Its refusals come with status 200 and under names of its own.
    errors: {
      bad_verification_code: 'invalid_grant',
      bad_refresh_token: 'invalid_grant',
      incorrect_client_credentials: 'invalid_client',
      redirect_uri_mismatch: 'invalid_request'
    }
  },
  {
    key: 'gitlab',
    name: 'GitLab',
    icon: icon('Gl', '#b3441a'),
    authorizationUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    scopes: [
      usual('read_user', 'See your profile'),
      further('read_api', 'Read everything that you can read'),
      further('api', 'Read and change everything that you can'),
      further('read_repository', 'Read your repositories'),
      further('write_repository', 'Change your repositories')
    ],
    hosts: ['gitlab.com'],
    auth: 'post',
    account: { url: 'https://gitlab.com/api/v4/user', label: ['/username'], id: ['/id'] },
    revocation: { url: 'https://gitlab.com/oauth/revoke', style: 'rfc7009' }
  },
  {
    key: 'linear',
    name: 'Linear',
    icon: icon('L', '#4a55b8'),
    authorizationUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    scopes: [
      usual('read', 'Read what you can read in your workspace'),
      further('write', 'Change what you can change in your workspace'),
      further('issues:create', 'Make issues'),
      further('comments:create', 'Write comments')
    ],
    hosts: ['api.linear.app', 'mcp.linear.app'],
    auth: 'post',
    params: { prompt: 'consent' },
    scopeSeparator: ',',
    account: {
      url: 'https://api.linear.app/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ viewer { id email name } }"}',
      label: ['/data/viewer/email', '/data/viewer/name'],
      id: ['/data/viewer/id']
    },
    revocation: { url: 'https://api.linear.app/oauth/revoke', style: 'bearer' }
  },
  {
    key: 'atlassian',
    name: 'Atlassian (Jira, Confluence)',
    icon: icon('A', '#0b55c4'),
    authorizationUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    scopes: [
      usual('read:me', 'See your profile'),
      usual('offline_access', 'Stay connected while you are away'),
      further('read:jira-work', 'Read projects and issues of Jira'),
      further('write:jira-work', 'Make and change issues of Jira'),
      further('read:confluence-content.all', 'Read pages of Confluence'),
      further('write:confluence-content', 'Make and change pages of Confluence')
    ],
    hosts: ['api.atlassian.com'],
    auth: 'post',
    params: { audience: 'api.atlassian.com', prompt: 'consent' },
    account: { url: 'https://api.atlassian.com/me', label: ['/email', '/name'], id: ['/account_id'] },
    errors: { unauthorized_client: 'invalid_grant' }
  },
  {
    key: 'figma',
    name: 'Figma',
    icon: icon('F', '#8438c7'),
    authorizationUrl: 'https://www.figma.com/oauth',
    tokenUrl: 'https://api.figma.com/v1/oauth/token',
    scopes: [
      usual('current_user:read', 'See your profile'),
      further('file_content:read', 'Read your files'),
      further('file_comments:read', 'Read comments'),
      further('file_comments:write', 'Write comments')
    ],
    hosts: ['api.figma.com'],
    auth: 'basic',
    scopeSeparator: ',',
    account: { url: 'https://api.figma.com/v1/me', label: ['/email', '/handle'], id: ['/id'] }
  },
  {
    key: 'discord',
    name: 'Discord',
    icon: icon('D', '#4450c4'),
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    scopes: [
      usual('identify', 'See who you are'),
      further('email', 'See your e-mail address'),
      further('guilds', 'See which servers you are in')
    ],
    hosts: ['discord.com'],
    auth: 'basic',
    account: { url: 'https://discord.com/api/v10/users/@me', label: ['/username'], id: ['/id'] },
    revocation: { url: 'https://discord.com/api/oauth2/token/revoke', style: 'rfc7009' }
  }
]
