import { randomInt } from 'node:crypto'
import type { Config } from '../config.ts'
import { deliverDueMail, type MailHouse } from './deliver.ts'
import { mailTransport } from './transport.ts'

export interface Postman {
  /** Something was queued in this process: it need not wait for the next round. */
  wake(): void
  /** Lets the mails that are just being sent finish. */
  stop(): Promise<void>
}

const ROUND_MS = 5_000
/** A woken round begins at no fixed time after a request, so that no answer that follows is slower for what this one set off. */
const EARLIEST_MS = 200
const LATEST_MS = 600

/** Sends queued mail, in rounds, until it is stopped. */
export const startPostman = (house: MailHouse & { readonly config: Pick<Config, 'mailUrl' | 'mailFrom'> }): Postman => {
  const transport = mailTransport(house.config)
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isWoken = false

  const plan = (): void => {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(begin, isWoken ? randomInt(EARLIEST_MS, LATEST_MS) : ROUND_MS)
  }
  const begin = (): void => {
    isWoken = false
    underWay = round()
  }
  const round = async (): Promise<void> => {
    try {
      await deliverDueMail(house, transport, stopping.signal)
    } catch (error) {
      house.log.error({ err: error }, 'a round of mail failed')
    }
    underWay = undefined
    plan()
  }

  plan()
  return {
    wake: () => {
      if (isWoken) return
      isWoken = true
      if (underWay === undefined) plan()
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await underWay
      transport.close()
    },
  }
}
