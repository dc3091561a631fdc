import { Data, Time } from 'agent-platform'
import { Type } from 'typebox'
import { params, tags } from './computers.ts'

const TerminalTicket = Type.Object(
  { ticket: Type.String({ description: 'Good once' }), expiresAt: Time },
  { title: 'TerminalTicket' }
)
export const createTicket = {
  tags,
  summary: 'Mint a ticket for a terminal',
  description:
    'For browsers, whose sockets have no header: `GET …/computer/terminal/:ticket` by WebSocket opens a terminal as the caller would by `GET …/computer/terminal`. Either takes `?columns=` and `?rows=`. Binary messages are input and output; `{"type":"resize","columns":…,"rows":…}` as text gives it another size, and `{"type":"ended","exitCode":…}` is the last one that comes. 409 `computer_off` while the computer is not enabled.',
  params,
  response: { 201: Data(TerminalTicket), 409: {} }
}
