import { spawn } from 'node:child_process'
import type { TerminalSize } from './orders.ts'

/**
 * The command that runs another one with a terminal of its own: `script`, which every Debian has, passes on what goes in and out of
 * it. Its device is told on file 3, so that it can be given another size.
 */
export function underTerminal(argv: readonly string[], size: TerminalSize): string[] {
  const begin = `tty >&3; exec 3>&-; stty ${sizeOf(size)} echo; exec ${argv.map(quoted).join(' ')}`
  return ['script', '-q', '-e', '-c', begin, '/dev/null']
}

/** The programs in it are told by the kernel. */
export function resize(device: string, size: TerminalSize): void {
  if (!/^\/dev\/pts\/\d+$/.test(device)) return
  const child = spawn('stty', ['-F', device, ...sizeOf(size).split(' ')], { stdio: 'ignore' })
  child.on('error', () => undefined)
}

const sizeOf = ({ columns, rows }: TerminalSize) => `rows ${Number(rows)} cols ${Number(columns)}`
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
