import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createQueryClient } from './query-client.ts'

const NO_HEADERS = new Headers()
const timeout = new ApiError(0, 'too long', {}, NO_HEADERS, new DOMException('', 'TimeoutError'))
const brokenConnection = new ApiError(0, 'unreachable', {}, NO_HEADERS, new TypeError('Failed to fetch'))

/** How often a query that always fails so is asked. */
const requestsUntilFailure = async (error: ApiError): Promise<number> => {
  const client = createQueryClient()
  let requests = 0
  const queryFn = (): never => {
    requests += 1
    throw error
  }
  await client
    .fetchQuery({
      queryKey: ['test', 'load'],
      queryFn,
      retry: client.getDefaultOptions().queries?.retry ?? false,
      retryDelay: 0,
      meta: { failure: 'log' },
    })
    .catch(() => undefined)
  return requests
}

test('[GRID-02] a load that timed out has failed; one whose connection broke is asked once more', async () => {
  expect([await requestsUntilFailure(timeout), await requestsUntilFailure(brokenConnection)]).toEqual([1, 2])
})
