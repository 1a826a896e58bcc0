import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Mailbox } from './mailbox.ts'

const MAX_BYTES = 10 * 1024 * 1024
const CLOSE_AFTER_MS = 200

/** A running mail server: where it listens, and how to stop it. */
export interface MailServer {
  readonly address: AddressInfo | string | null
  close(): Promise<void>
}

/**
 * Takes mail for any recipient, without sign-in, up to 10 MiB a message; a message is in the mailbox before its sender hears that it was taken.
 * @throws the socket's error when the port cannot be had
 */
export const startMailServer = async (mailbox: Mailbox, { port, host }: { port: number; host: string }): Promise<MailServer> => {
  const server = new SMTPServer({
    name: 'sandbox.localhost',
    banner: 'the sandbox takes every message and delivers none',
    // A sender that is offered STARTTLS would refuse the self-signed certificate.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    closeTimeout: CLOSE_AFTER_MS,
    onData: (stream, session, answer) => {
      receive(mailbox, stream, session).then(
        () => answer(null, 'The message is in the mailbox'),
        (error: unknown) => answer(refusal(error)),
      )
    },
  })
  const listening = once(server.server, 'listening')
  // Reset lines of single senders arrive here too: without a listener they would end the program.
  server.on('error', () => undefined)
  server.listen(port, host)
  await listening
  return {
    address: server.server.address(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const receive = async (mailbox: Mailbox, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
  const message = await collected(stream)
  const { subject = '', text = '', html = '' } = await PostalMime.parse(message)
  const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
  mailbox.receive({ to, subject, text, html, at: new Date().toISOString() })
}

const collected = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // An oversized message is read to its end, since SMTP answers only then, but no longer kept.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BYTES || stream.sizeExceeded) throw new Refusal('The message is larger than 10 MiB', 552)
  return Buffer.concat(chunks)
}

/** A message that is not taken, with the SMTP status that says why. */
class Refusal extends Error {
  readonly responseCode: number

  constructor(message: string, responseCode: number) {
    super(message)
    this.responseCode = responseCode
  }
}

const refusal = (error: unknown): Refusal => (error instanceof Refusal ? error : new Refusal('The message cannot be read as MIME', 554))
