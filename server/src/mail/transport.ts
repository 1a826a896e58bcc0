import type { Transporter } from 'nodemailer'
import type { Config } from '../config.ts'
import { JobFailure } from '../queue/job.ts'

export interface Message {
  readonly id: string
  readonly fromName: string
  readonly to: string
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends messages to the mail server. */
export interface MailTransport {
  /**
   * Resolves when the mail server has accepted the message. @throws JobFailure when it has not, or when that is unknown; its message never
   * names the recipient
   */
  send(message: Message): Promise<void>
  close(): void
}

export const MAX_CONNECTIONS = 3

/**
 * The pool of connections to the mail server of MAIL_URL; none is opened before the first mail.
 * A password is sent only over TLS, unless the server is localhost.
 */
export const mailTransport = ({ mailUrl, mailFrom }: Pick<Config, 'mailUrl' | 'mailFrom'>): MailTransport => {
  const { username, hostname } = new URL(mailUrl)
  const isLocalhost = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
  const openTransporter = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer') // loaded with the first mail
    return createTransport({
      url: mailUrl,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      requireTLS: username !== '' && !isLocalhost,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transporter: Promise<Transporter> | undefined
  return {
    send: async ({ id, fromName, to, replyTo, subject, text, html }) => {
      try {
        transporter ??= openTransporter()
        await (await transporter).sendMail({
          messageId: `<${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`, // the same on every try
          from: { name: fromName, address: mailFrom },
          to: { name: '', address: to },
          ...(replyTo === null ? {} : { replyTo }),
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' }, // prevents out-of-office replies (RFC 3834)
        })
      } catch (error) {
        throw toJobFailure(error)
      }
    },
    close: () => void transporter?.then((opened) => opened.close()),
  }
}

/** Makes the job's failure of a failed sending: permanent where the server refuses the recipient or message for good. Throws nothing. */
const toJobFailure = (error: unknown): JobFailure => {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number }
  const isPermanent = (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500
  return new JobFailure(responseCode === undefined ? code : `${code} ${responseCode}`, { isPermanent, cause: error })
}
