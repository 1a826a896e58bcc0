import type { Config } from '../config.ts'
import { type Clock, addMs } from '../kit/clock.ts'
import type { Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import type { Log } from '../kit/log.ts'
import { type LinkKind, linkSecretHash, linkToken } from '../session/one-time-links.ts'
import { storeLink } from '../session/one-time-links.queries.ts'
import { toHtml, toText } from './mail-content.ts'
import { TEMPLATES, toSender } from './templates.ts'
import { type Mail, type MailKind, markFailed, markSent, queueUserMail, claimDueMail } from './mail.queries.ts'
import { claimResetRequest } from './reset-requests.queries.ts'
import { MAX_CONNECTIONS, type MailTransport, type Message, SendFailed } from './transport.ts'

/** What sending mail needs of the AppContext. */
export interface MailDeps {
  readonly store: Store
  readonly clock: Clock
  readonly keys: Keys
  readonly config: Pick<Config, 'publicUrl'>
  readonly log: Log
}

const MINUTE = 60_000
/** The link in a kind of mail, and its lifetime from the moment of sending. */
const LINKS: Readonly<Partial<Record<MailKind, { readonly kind: LinkKind; readonly lifetimeMs: number }>>> = {
  reset: { kind: 'reset', lifetimeMs: 60 * MINUTE },
  invitation: { kind: 'registration', lifetimeMs: 7 * 24 * 60 * MINUTE },
}
const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 60 * MINUTE

/**
 * Sends every mail that is due once, until `stopping` aborts; several workers may do this at the same time.
 * A mail that the server does not accept is retried later.
 */
export const sendDueMail = async (deps: MailDeps, transport: MailTransport, stopping?: AbortSignal): Promise<void> => {
  const repeatUntilEmpty = async (sendOne: () => Promise<boolean>): Promise<void> => {
    for (;;) if (stopping?.aborted === true || !(await sendOne())) return
  }
  await repeatUntilEmpty(() => queueMailForNextResetRequest(deps))
  await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => repeatUntilEmpty(() => sendNextMail(deps, transport))))
}

const transactAsSystem = <T>({ store }: MailDeps, work: Parameters<typeof store.transact<T>>[1]): Promise<T> =>
  store.transact({ role: 'counterfoil_system' }, work, { pool: 'background' })

const queueMailForNextResetRequest = (deps: MailDeps): Promise<boolean> =>
  transactAsSystem(deps, async (db) => {
    const request = await claimResetRequest(db)
    for (const userId of request?.userIds ?? []) await queueUserMail(db, { kind: 'reset', userId, event: request?.id ?? '' }, deps.clock())
    return request !== undefined
  })

const sendNextMail = async (deps: MailDeps, transport: MailTransport): Promise<boolean> => {
  const now = deps.clock()
  const mail = await transactAsSystem(deps, async (db) => {
    const mail = await claimDueMail(db, now)
    const link = mail === undefined ? undefined : LINKS[mail.kind]
    if (mail !== undefined && link !== undefined) {
      const secretHash = linkSecretHash(deps.keys, mail.id)
      await storeLink(db, { id: mail.id, kind: link.kind, userId: mail.userId, secretHash, expiresAt: addMs(now, link.lifetimeMs) }, now)
    }
    return mail
  })
  if (mail === undefined) return false
  try {
    await transport.send(toMessage(deps, mail))
  } catch (error) {
    await scheduleRetry(deps, mail, error)
    return true
  }
  await transactAsSystem(deps, (db) => markSent(db, mail, deps.clock()))
  return true
}

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

const scheduleRetry = async (deps: MailDeps, mail: Mail, error: unknown): Promise<void> => {
  if (!(error instanceof SendFailed)) throw error
  const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (mail.tries - 1), MAX_RETRY_MS)
  const next = addMs(deps.clock(), pauseMs)
  const dueAt = error.isPermanent || next > mail.expiresAt ? null : next
  await transactAsSystem(deps, (db) => markFailed(db, mail, error.message, dueAt))
  const fields = { mailId: mail.id, kind: mail.kind, tries: mail.tries, failure: error.message }
  if (dueAt === null) deps.log.error(fields, 'a mail was given up')
  else deps.log.warn({ ...fields, pauseMs }, 'a mail was not accepted; it will be retried (MAIL_URL names the mail server)')
}
