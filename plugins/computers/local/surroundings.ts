// What every computer on this machine finds, whatever keeps it from all else.

export const HOME = '/home/agent'
/** Where the program that listens to the platform lies, beside a Node.js. */
export const OWN = '/opt/computer'
/** The way out. */
export const EGRESS = '/run/egress.sock'
export const PROXY_PORT = 3128
/** Where nothing of the agent's lies. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Of the platform, made for each computer. */
export const OWN_SETTINGS = ['passwd', 'group', 'hosts', 'nsswitch.conf']

/** Of the shared memory and the temporary files, each: both count as memory of the computer. */
export const shareOf = (memoryMb: number): number => Math.round((memoryMb / 4) * 1_048_576)

const proxy = `http://127.0.0.1:${PROXY_PORT}`
const direct = 'localhost,127.0.0.1,::1'
/** All that a computer knows of its surroundings. */
export const environment = {
  HOME,
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/sh',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  PATH: `${HOME}/.local/bin:${SYSTEM_PATH}:${OWN}/bin`,
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  NO_PROXY: direct,
  no_proxy: direct,
  NODE_USE_ENV_PROXY: '1',
  NODE_NO_WARNINGS: '1'
}
/** It does little and there are many: what it needs is a tenth of what it would take. */
export const nodeOptions = [
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  '--v8-pool-size=0',
  '--single-threaded-gc',
  '--no-opt'
]
/** The first program, which takes orders on its file 3 or on its standard input and output. */
export const programOf = (way: 'file 3' | 'stdio'): string[] => [
  `${OWN}/bin/node`,
  ...nodeOptions,
  `${OWN}/guest/main.mjs`,
  ...[EGRESS, String(PROXY_PORT), way]
]
