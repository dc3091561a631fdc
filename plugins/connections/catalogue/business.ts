import type { Provider } from './provider.ts'
import { further, icon, usual } from './provider.ts'

/** Customers, meetings, files and music. */
export const business: readonly Provider[] = [
  {
    key: 'hubspot',
    name: 'HubSpot',
    icon: icon('H', '#a8462c'),
    authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
    scopes: [
      usual('oauth', 'Know which account it is'),
      further('crm.objects.contacts.read', 'Read contacts'),
      further('crm.objects.contacts.write', 'Make and change contacts'),
      further('crm.objects.deals.read', 'Read deals'),
      further('crm.objects.deals.write', 'Make and change deals')
    ],
    hosts: ['api.hubapi.com'],
    auth: 'post',
    account: {
      url: 'https://api.hubapi.com/account-info/v3/details',
      label: ['/uiDomain', '/portalId'],
      id: ['/portalId']
    },
    revocation: { url: 'https://api.hubapi.com/oauth/v1/refresh-tokens/{token}', style: 'hubspot' },
    errors: { BAD_AUTH_CODE: 'invalid_grant', BAD_REFRESH_TOKEN: 'invalid_grant' }
  },
  {
    key: 'salesforce',
    name: 'Salesforce',
    icon: icon('Sf', '#08639b'),
    authorizationUrl: 'https://login.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://login.salesforce.com/services/oauth2/token',
    scopes: [
      usual('id', 'See your profile'),
      usual('refresh_token', 'Stay connected while you are away'),
      further('api', 'Read and change the records that you can')
    ],
    hosts: ['*.my.salesforce.com', 'login.salesforce.com'],
    auth: 'post',
    account: {
      url: 'https://login.salesforce.com/services/oauth2/userinfo',
      label: ['/preferred_username', '/email'],
      id: ['/user_id', '/sub']
    },
    revocation: { url: 'https://login.salesforce.com/services/oauth2/revoke', style: 'rfc7009' }
  },
  {
    key: 'zoom',
    name: 'Zoom',
    icon: icon('Z', '#0b5bd3'),
    authorizationUrl: 'https://zoom.us/oauth/authorize',
    tokenUrl: 'https://zoom.us/oauth/token',
    scopes: [
      usual('user:read:user', 'See your profile'),
      further('meeting:read:list_meetings', 'See your meetings'),
      further('meeting:write:meeting', 'Plan meetings in your name')
    ],
    hosts: ['api.zoom.us'],
    auth: 'basic',
    account: { url: 'https://api.zoom.us/v2/users/me', label: ['/email', '/display_name'], id: ['/id'] },
    revocation: { url: 'https://zoom.us/oauth/revoke', style: 'rfc7009' }
  },
  {
    key: 'dropbox',
    name: 'Dropbox',
    icon: icon('Db', '#0a4fc4'),
    authorizationUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    scopes: [
      usual('account_info.read', 'See your profile'),
      further('files.metadata.read', 'See which files you have'),
      further('files.content.read', 'Read your files'),
      further('files.content.write', 'Make and change files')
    ],
    hosts: ['api.dropboxapi.com', 'content.dropboxapi.com'],
    auth: 'post',
    params: { token_access_type: 'offline' },
    account: {
      url: 'https://api.dropboxapi.com/2/users/get_current_account',
      method: 'POST',
      label: ['/email'],
      id: ['/account_id']
    },
    revocation: { url: 'https://api.dropboxapi.com/2/auth/token/revoke', style: 'bearer' }
  },
  {
    key: 'spotify',
    name: 'Spotify',
    icon: icon('Sp', '#176b35'),
    authorizationUrl: 'https://accounts.spotify.com/authorize',
    tokenUrl: 'https://accounts.spotify.com/api/token',
    scopes: [
      usual('user-read-email', 'See your e-mail address'),
      further('playlist-read-private', 'See your private playlists'),
      further('playlist-modify-private', 'Make and change your private playlists'),
      further('user-modify-playback-state', 'Start and stop what plays')
    ],
    hosts: ['api.spotify.com'],
    auth: 'basic',
    account: { url: 'https://api.spotify.com/v1/me', label: ['/email', '/display_name'], id: ['/id'] }
  }
]
