import type { Config } from '../config.ts'
import type { JobKind } from '../queue/job.ts'
import { type JobDeps, transactAsSystem } from '../queue/run-job.ts'
import { addMs } from '../kit/clock.ts'
import type { Keys } from '../kit/keys.ts'
import { type LinkKind, linkSecretHash, linkToken } from '../session/one-time-links.ts'
import { storeLink } from '../session/one-time-links.queries.ts'
import { toHtml, toText } from './mail-content.ts'
import { findUnsentMail, type Mail, type MailKind, markSent, queueUserMail } from './mail.queries.ts'
import { takeResetRequest } from './reset-requests.queries.ts'
import { TEMPLATES, toSender } from './templates.ts'
import { MAX_CONNECTIONS, type MailTransport, type Message } from './transport.ts'

/** What sending mail needs of the AppContext. */
export interface MailDeps extends JobDeps {
  readonly keys: Keys
  readonly config: Pick<Config, 'publicUrl'>
}

const MINUTE = 60_000
/** The link in a kind of mail, and its lifetime from the moment of sending. */
const LINKS: Readonly<Partial<Record<MailKind, { readonly kind: LinkKind; readonly lifetimeMs: number }>>> = {
  reset: { kind: 'reset', lifetimeMs: 60 * MINUTE },
  invitation: { kind: 'registration', lifetimeMs: 7 * 24 * 60 * MINUTE },
}
const retry = { firstMs: 30_000, maxMs: 60 * MINUTE }
/** Longer than sending a mail takes. */
const leaseMs = 5 * MINUTE

/** The two kinds of job of mail, for the worker: `reset-request` queues the mails of a password reset request, `mail` sends one mail. */
export const mailJobs = (deps: MailDeps, transport: MailTransport): readonly JobKind[] => [
  { name: 'reset-request', concurrency: 1, leaseMs, retry, run: ({ id }) => queueResetMails(deps, id) },
  { name: 'mail', concurrency: MAX_CONNECTIONS, leaseMs, retry, run: ({ id }) => sendMail(deps, transport, id) },
]

/** Takes a reset request, and queues a mail to each of its users, in one transaction. Sends nothing. */
const queueResetMails = (deps: MailDeps, requestId: string): Promise<void> =>
  transactAsSystem(deps, async (db) => {
    const userIds = await takeResetRequest(db, requestId)
    for (const userId of userIds) await queueUserMail(db, { kind: 'reset', userId, event: requestId }, deps.clock())
  })

/** Stores the hash of the mail's link, hands the mail to the mail server, and marks it as sent. Does nothing for a mail that was sent. */
const sendMail = async (deps: MailDeps, transport: MailTransport, id: string): Promise<void> => {
  const now = deps.clock()
  const mail = await transactAsSystem(deps, async (db) => {
    const mail = await findUnsentMail(db, id)
    const link = mail === undefined ? undefined : LINKS[mail.kind]
    if (mail !== undefined && link !== undefined) {
      const secretHash = linkSecretHash(deps.keys, mail.id)
      await storeLink(db, { id: mail.id, kind: link.kind, userId: mail.userId, secretHash, expiresAt: addMs(now, link.lifetimeMs) }, now)
    }
    return mail
  })
  if (mail === undefined) return
  await transport.send(toMessage(deps, mail))
  await transactAsSystem(deps, (db) => markSent(db, id, deps.clock()))
}

/** The mail as text and HTML, with its link, as the mail server gets it. */
const toMessage = ({ config, keys }: MailDeps, mail: Mail): Message => {
  const content = TEMPLATES[mail.kind](mail, { publicUrl: config.publicUrl, token: linkToken(keys, mail.id) })
  const sender = toSender(mail)
  return {
    id: mail.id,
    fromName: mail.brandName,
    to: mail.recipient,
    replyTo: mail.contactEmail,
    subject: content.subject,
    text: toText(content, sender),
    html: toHtml(content, sender),
  }
}
