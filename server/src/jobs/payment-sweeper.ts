import { processNotices } from '../payments/notices.ts'
import type { PaymentsHouse } from '../payments/payments-house.ts'
import { sweepAttempts } from '../payments/sweep.ts'

export interface PaymentSweeper {
  /** A notice came in this process: it need not wait for the next round. */
  wake(): void
  /** Lets the look-up under way finish. */
  stop(): Promise<void>
}

const ROUND_MS = 5_000

/** Looks into the notices of payment companies and into payments whose outcome is not known, in rounds, until it is stopped. */
export const startPaymentSweeper = (house: PaymentsHouse): PaymentSweeper => {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isWoken = false

  const plan = (): void => {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(begin, isWoken ? 0 : ROUND_MS)
  }
  const begin = (): void => {
    isWoken = false
    underWay = round()
  }
  const round = async (): Promise<void> => {
    try {
      await processNotices(house, stopping.signal)
      await sweepAttempts(house, stopping.signal)
    } catch (error) {
      house.log.error({ err: error }, 'a round of payments failed')
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
    },
  }
}
