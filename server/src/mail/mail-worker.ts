import { randomInt } from 'node:crypto'
import type { Config } from '../config.ts'
import { type Poller, startPoller } from '../kit/poller.ts'
import { sendDueMail, type MailDeps } from './send-mail.ts'
import { mailTransport } from './transport.ts'

/** A random delay after a wake-up, so that the time of the next response does not reveal whether a mail was sent. */
const MIN_WAKE_DELAY_MS = 200
const MAX_WAKE_DELAY_MS = 600

/** Sends queued mail until it is stopped; mails being sent are finished. */
export const startMailWorker = (deps: MailDeps & { readonly config: Pick<Config, 'mailUrl' | 'mailFrom'> }): Poller => {
  const transport = mailTransport(deps.config)
  const rounds = startPoller({
    intervalMs: 5_000,
    wakeDelayMs: () => randomInt(MIN_WAKE_DELAY_MS, MAX_WAKE_DELAY_MS),
    run: (signal) => sendDueMail(deps, transport, signal),
    onError: (error) => deps.log.error({ err: error }, 'sending queued mail failed'),
  })
  return {
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop()
      transport.close()
    },
  }
}
