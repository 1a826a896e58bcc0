import { randomInt } from 'node:crypto'
import type { Config } from '../config.ts'
import { type Rounds, startRounds } from '../kit/poller.ts'
import { deliverDueMail, type MailDeps } from './deliver.ts'
import { mailTransport } from './transport.ts'

/** A woken round begins at no fixed time after a request, so that no answer that follows is slower for what this one set off. */
const EARLIEST_MS = 200
const LATEST_MS = 600

/** Sends queued mail, in rounds, until it is stopped; then the mails that are just being sent finish. */
export const startPostman = (deps: MailDeps & { readonly config: Pick<Config, 'mailUrl' | 'mailFrom'> }): Rounds => {
  const transport = mailTransport(deps.config)
  const rounds = startRounds({
    everyMs: 5_000,
    wokenAfterMs: () => randomInt(EARLIEST_MS, LATEST_MS),
    work: (signal) => deliverDueMail(deps, transport, signal),
    failed: (error) => deps.log.error({ err: error }, 'a round of mail failed'),
  })
  return {
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop()
      transport.close()
    },
  }
}
