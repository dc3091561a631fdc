import type { Static } from 'typebox'
import { Type } from 'typebox'

export const UiPluginSettings = Type.Object({
  ownerApps: Type.Integer({
    env: 'UI_PLUGINS_OWNER_APPS',
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'Apps of an owner'
  }),
  ownerBytes: Type.Integer({
    env: 'UI_PLUGINS_OWNER_BYTES',
    minimum: 1_048_576,
    maximum: 1_099_511_627_776,
    default: 536_870_912,
    description: 'Bytes of all versions of an owner’s apps'
  }),
  versions: Type.Integer({
    env: 'UI_PLUGINS_VERSIONS',
    minimum: 2,
    maximum: 1_000,
    default: 20,
    description: 'Versions that are kept of an app, with the one that is enabled and the latest'
  }),
  appCallsPerMinute: Type.Integer({
    env: 'UI_PLUGINS_APP_CALLS_PER_MINUTE',
    minimum: 1,
    maximum: 1_000_000_000,
    default: 60_000,
    description: 'Calls of the platform a minute that an app makes, for all its callers'
  }),
  callerCallsPerMinute: Type.Integer({
    env: 'UI_PLUGINS_CALLER_CALLS_PER_MINUTE',
    minimum: 1,
    maximum: 1_000_000_000,
    default: 12_000,
    description: 'The same of one caller'
  }),
  appInFlight: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 512,
    description: 'Calls of an app that are under way at a time, on one instance'
  }),
  callerInFlight: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 128,
    description: 'The same of one caller'
  }),
  maxDepth: Type.Integer({
    env: 'UI_PLUGINS_MAX_DEPTH',
    minimum: 0,
    maximum: 100,
    default: 8,
    description: 'Apps and agents that may be calling each other above a function'
  }),
  fetchRequestBytes: Type.Integer({
    minimum: 0,
    maximum: 67_108_864,
    default: 524_288,
    description: 'Bytes of the body of a request of an app to another host'
  }),
  fetchReplyBytes: Type.Integer({
    minimum: 1_024,
    maximum: 67_108_864,
    default: 524_288,
    description: 'Bytes of the body of its reply, decoded'
  }),
  fetchSeconds: Type.Integer({
    minimum: 1,
    maximum: 300,
    default: 15,
    description: 'Seconds until a reply was read, with its redirects'
  }),
  httpEgress: Type.Boolean({
    env: 'UI_PLUGINS_HTTP_EGRESS',
    default: false,
    description: 'Whether apps may talk to hosts without TLS'
  }),
  logRows: Type.Integer({
    minimum: 10,
    maximum: 1_000_000,
    default: 5_000,
    description: 'Lines that are kept of an app’s log'
  }),
  logLinesPerMinute: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1_200,
    description: 'Lines a minute of an app, on one instance'
  }),
  dailyCalls: Type.Integer({
    env: 'UI_PLUGINS_DAILY_CALLS',
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Calls of the platform that an app may make in a day of UTC; 0: any number'
  }),
  dailyCpuMs: Type.Integer({
    env: 'UI_PLUGINS_DAILY_CPU_MS',
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Milliseconds of the processor that its functions may take in a day; 0: any number'
  }),
  dailyEgressBytes: Type.Integer({
    env: 'UI_PLUGINS_DAILY_EGRESS_BYTES',
    minimum: 0,
    maximum: 1_000_000_000_000,
    default: 0,
    description: 'Bytes that it may send to other hosts and read from them in a day; 0: any number'
  })
})
export type UiPluginSettings = Static<typeof UiPluginSettings>
