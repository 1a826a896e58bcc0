import { ApiError } from '../../kit/api-error.ts'

/** Limits concurrent downloads, because each holds a database connection. */
export interface ExportLimit {
  /** Returns a function that releases the slot. @throws ApiError 429 when this customer or all customers together are at the limit */
  acquire(customerId: number): () => void
}

const MAX_PER_CUSTOMER = 2
const MAX_TOTAL = 4

export const exportLimit = (): ExportLimit => {
  const running = new Map<number, number>()
  return {
    acquire: (customerId) => {
      const ownCount = running.get(customerId) ?? 0
      const totalCount = [...running.values()].reduce((sum, one) => sum + one, 0)
      if (ownCount >= MAX_PER_CUSTOMER || totalCount >= MAX_TOTAL)
        throw new ApiError(429, 'A download is still running. Please wait until it is done.', { retryAfter: 10 })
      running.set(customerId, ownCount + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const remaining = (running.get(customerId) ?? 1) - 1
        if (remaining === 0) running.delete(customerId)
        else running.set(customerId, remaining)
      }
    },
  }
}
