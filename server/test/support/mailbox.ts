import { startMailServer } from '../../../sandbox/src/mail/mail-server.ts'
import { Mailbox, type NumberedMail } from '../../../sandbox/src/mail/mailbox.ts'
import type { AppContext } from '../../src/context.ts'
import { mailJobs } from '../../src/mail/mail-jobs.ts'
import { mailTransport } from '../../src/mail/transport.ts'
import { runDueJobs } from './jobs.ts'

export interface TestMailbox {
  /** For the setting MAIL_URL. */
  readonly url: string
  /** The received mails, newest first. */
  list(): readonly NumberedMail[]
  empty(): void
  close(): Promise<void>
}

/** A mail server that accepts everything, on the given port or any free one. */
export const startTestMailbox = async (port = 0): Promise<TestMailbox> => {
  const mailbox = new Mailbox()
  const server = await startMailServer(mailbox, { port, host: '127.0.0.1' })
  if (server.address === null || typeof server.address === 'string') throw new Error('the mail server listens on no port')
  return {
    url: `smtp://127.0.0.1:${server.address.port}`,
    list: () => mailbox.list(),
    empty: () => mailbox.reset(),
    close: () => server.close(),
  }
}

/** Delivers the due mails over a connection of its own to MAIL_URL. */
export const deliverMail = async (context: AppContext): Promise<void> => {
  const transport = mailTransport(context.config)
  try {
    await runDueJobs(context, ...mailJobs(context, transport))
  } finally {
    transport.close()
  }
}

/** The token in a mail's link. */
export const tokenIn = (mail: NumberedMail | undefined): string => {
  const token = /\/(?:reset-password|finish-registration)\/([\w-]+)$/m.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error('the mail carries no link')
  return token
}
