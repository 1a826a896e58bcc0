import type { CustomerRequestContext } from '../../http/request-context.ts'
import { ApiError } from '../../kit/api-error.ts'

type Downloader = Pick<CustomerRequestContext, 'actor' | 'scope'>

/** Limits concurrent downloads, because each holds a database connection. */
export interface ExportLimit {
  /**
   * Takes a place for a download.
   * @returns a function that releases the place
   * @throws ApiError 429 when the user, the customer, the reseller or all together have theirs
   */
  acquire(downloader: Downloader): () => void
}

const MAX_TOTAL = 6
/** The last places go to resellers of whom no download is running: however many customers one of them has, the others are not kept out. */
const RESERVED_PLACES = 2
const MAX_PER_USER = 2
const MAX_PER_CUSTOMER = 2
const MAX_PER_RESELLER = 3

/** Makes the limit, which counts the downloads of this process. */
export const exportLimit = (): ExportLimit => {
  const running = new Map<string, number>()
  const count = (key: string): number => running.get(key) ?? 0
  const change = (key: string, difference: 1 | -1): void => {
    const changed = count(key) + difference
    if (changed === 0) running.delete(key)
    else running.set(key, changed)
  }
  return {
    acquire: ({ actor, scope }) => {
      const [user, customer, reseller] = [`user ${actor.userId}`, `customer ${scope.customerId}`, `reseller ${scope.resellerId}`]
      const places = count(reseller) === 0 ? MAX_TOTAL : MAX_TOTAL - RESERVED_PLACES
      const isFull =
        count('all') >= places || count(user) >= MAX_PER_USER || count(customer) >= MAX_PER_CUSTOMER || count(reseller) >= MAX_PER_RESELLER
      if (isFull) throw new ApiError('download_running', 'A download is still running. Please wait until it is done.', { retryAfter: 10 })
      const keys = ['all', user, customer, reseller]
      for (const key of keys) change(key, 1)
      let isHeld = true
      return () => {
        if (isHeld) for (const key of keys) change(key, -1)
        isHeld = false
      }
    },
  }
}
