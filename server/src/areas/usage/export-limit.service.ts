import { ApiError } from '../../kit/api-error.ts'

/** Who exports just now: each holds a connection of its own, so there are not many. */
export interface ExportPlaces {
  /** @throws Refusal 429 when this customer, or everybody together, has as many as there may be */
  enter(customerId: number): () => void
}

const PER_CUSTOMER = 2
const IN_ALL = 4

export const exportPlaces = (): ExportPlaces => {
  const running = new Map<number, number>()
  return {
    enter: (customerId) => {
      const mine = running.get(customerId) ?? 0
      const all = [...running.values()].reduce((sum, one) => sum + one, 0)
      if (mine >= PER_CUSTOMER || all >= IN_ALL)
        throw new ApiError(429, 'A download is still running. Please wait until it is done.', { retryAfter: 10 })
      running.set(customerId, mine + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (running.get(customerId) ?? 1) - 1
        if (left === 0) running.delete(customerId)
        else running.set(customerId, left)
      }
    },
  }
}
