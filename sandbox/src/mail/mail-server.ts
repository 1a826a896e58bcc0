import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Mailbox } from './mailbox.ts'

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024
const CLOSE_TIMEOUT_MS = 200

/** A running mail server: where it listens, and how to stop it. */
export interface MailServer {
  readonly address: AddressInfo | string | null
  close(): Promise<void>
}

/**
 * Starts an SMTP server that takes mail for any recipient, without authentication. A message is in the mailbox before it is acknowledged.
 * @throws the socket's error when the port is not available
 */
export const startMailServer = async (mailbox: Mailbox, { port, host }: { port: number; host: string }): Promise<MailServer> => {
  const server = new SMTPServer({
    name: 'sandbox.localhost',
    banner: 'the sandbox takes every message and delivers none',
    // A client that is offered STARTTLS would reject the self-signed certificate.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MESSAGE_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onData: (stream, session, answer) => {
      receive(mailbox, stream, session).then(
        () => answer(null, 'The message is in the mailbox'),
        (error: unknown) => answer(toRejection(error)),
      )
    },
  })
  const listening = once(server.server, 'listening')
  // Connection resets by clients arrive here too; without a listener they would end the process.
  server.on('error', () => undefined)
  server.listen(port, host)
  await listening
  return {
    address: server.server.address(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Reads a message and puts it in the mailbox under the envelope's recipients. @throws SmtpRejection when the message is too large */
const receive = async (mailbox: Mailbox, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
  const message = await readMessage(stream)
  const { subject = '', text = '', html = '' } = await PostalMime.parse(message)
  const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
  mailbox.receive({ to, subject, text, html, at: new Date().toISOString() })
}

/** Reads a message to its end. @throws SmtpRejection with the status 552 when it is larger than MAX_MESSAGE_BYTES */
const readMessage = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // An oversized message is read to its end, because SMTP answers only then, but not stored.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_MESSAGE_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_MESSAGE_BYTES || stream.sizeExceeded) throw new SmtpRejection('The message is larger than 10 MiB', 552)
  return Buffer.concat(chunks)
}

/** A rejected message with its SMTP status. */
class SmtpRejection extends Error {
  readonly responseCode: number

  constructor(message: string, responseCode: number) {
    super(message)
    this.responseCode = responseCode
  }
}

/** The rejection to answer with; any unknown error is a message that cannot be read (554). */
const toRejection = (error: unknown): SmtpRejection =>
  error instanceof SmtpRejection ? error : new SmtpRejection('The message cannot be read as MIME', 554)
