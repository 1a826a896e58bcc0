import { startMailServer } from '../../../sandbox/src/mail-server.ts'
import { Mailbox, type NumberedMail } from '../../../sandbox/src/mailbox.ts'
import type { AppContext } from '../../src/context.ts'
import { sendDueMail } from '../../src/mail/send-mail.ts'
import { mailTransport } from '../../src/mail/transport.ts'

export interface TestMailbox {
  /** For the setting MAIL_URL. */
  readonly url: string
  /** What has arrived, newest first. */
  list(): readonly NumberedMail[]
  empty(): void
  close(): Promise<void>
}

/** A mail server that takes everything, on the port given or any that is free. */
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

/** One round of the postman, over a line of its own to the mail server of MAIL_URL. */
export const deliverMail = async (context: AppContext): Promise<void> => {
  const transport = mailTransport(context.config)
  try {
    await sendDueMail(context, transport)
  } finally {
    transport.close()
  }
}

/** The token of the link that a mail carries. */
export const tokenIn = (mail: NumberedMail | undefined): string => {
  const token = /\/(?:reset-password|finish-registration)\/([\w-]+)$/m.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error('the mail carries no link')
  return token
}
