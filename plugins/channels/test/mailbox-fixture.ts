import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import tls from 'node:tls'

interface Scope {
  teardown(work: () => unknown): unknown
}
const program = '/usr/sbin/dovecot'
/** Who owns mail: dovecot serves none of root's. */
const NOBODY = 65_534

/** Why tests of mailboxes are left out; false where they are not. */
export const noDovecot =
  (!existsSync(program) && `${program} is not installed`) ||
  (process.getuid?.() !== 0 && 'dovecot is started as root')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Dovecot with the inbox of `ada@example.com`, at `localhost`, with a certificate that this process trusts from then on. */
export async function mailbox(t: Scope) {
  const folder = mkdtempSync(join(tmpdir(), 'mailbox-'))
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  const port = await freePort()
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
      .concat(subject)
      .concat(['-keyout', at('key.pem'), '-out', at('cert.pem')]),
    { stdio: 'pipe' }
  )
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(at('cert.pem'), 'utf8')])
  const inbox = at('mail')
  for (const name of ['', 'new', 'cur', 'tmp']) {
    mkdirSync(join(inbox, name), { recursive: true })
    chownSync(join(inbox, name), NOBODY, NOBODY)
  }
  writeFileSync(
    at('dovecot.conf'),
    `base_dir = ${at('run')}
state_dir = ${at('state')}
log_path = ${at('log')}
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${at('cert.pem')}
ssl_key = <${at('key.pem')}
mail_location = maildir:${inbox}
passdb {
  driver = static
  args = password=letters-7
}
userdb {
  driver = static
  args = uid=${NOBODY} gid=${NOBODY} home=${inbox}
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`
  )
  const server = spawn(program, ['-F', '-c', at('dovecot.conf')], { stdio: 'inherit' })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
  }
  t.teardown(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await answers(port))) await delay(20)
  let written = 0
  return {
    port,
    stop,
    /** A message comes into the inbox, as its receiving server leaves it there. */
    deliver(headers: Readonly<Record<string, string>>, body: string): void {
      const name = `${Date.now()}.M${++written}P1.localhost`
      const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`)
      writeFileSync(join(inbox, 'tmp', name), `${lines.join('\r\n')}\r\n\r\n${body}`)
      chownSync(join(inbox, 'tmp', name), NOBODY, NOBODY)
      execFileSync('mv', [join(inbox, 'tmp', name), join(inbox, 'new', name)])
    }
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })
