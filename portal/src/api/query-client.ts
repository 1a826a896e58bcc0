import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { failureStore } from './failure-store.ts'

/**
 * How a failed request is shown: by the red banner, inline beside what failed, or not at all.
 * Queries and mutations state it in `meta.failure`; the banner is the default.
 */
type FailureDisplay = 'banner' | 'inline' | 'log'

type Meta = { failure: FailureDisplay }

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

const STALE_TIME_MS = 30_000

/** A pending state must be on the screen before the second click of a double click; the default timer is too late. */
notifyManager.setScheduler(queueMicrotask)

/** The query client of the app: logs and shows failures, and asks a query again, once, only when its connection was lost. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => logAndShowFailure(error, query.meta, requestNameOf(query.queryKey)),
      onSuccess: (_data, query) => failureStore.settle(requestNameOf(query.queryKey)),
    }),
    mutationCache: new MutationCache({
      onError: (error, _given, _result, { meta, options }) => logAndShowFailure(error, meta, requestNameOf(options.mutationKey)),
      onSuccess: (_data, _given, _result, { options }) => failureStore.settle(requestNameOf(options.mutationKey)),
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        networkMode: 'always',
        // Retry what failed offline as soon as there is a connection.
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 1 && isConnectionLost(error),
      },
      mutations: { networkMode: 'always' },
    },
  })

/** The first two parts of a query's or mutation's key: the area and the request, without page and filters. */
const requestNameOf = (key: readonly unknown[] = []): string => key.slice(0, 2).join(' ')

/**
 * Logs a failed request to the console, and raises the red banner for it unless its `meta` has another display.
 * Neither for a 401: the sign-in page is being opened already.
 */
const logAndShowFailure = (error: unknown, meta: Meta | undefined, requestName: string): void => {
  if (error instanceof ApiError && error.status === 401) return
  console.error(error)
  if ((meta?.failure ?? 'banner') === 'banner') failureStore.raise(requestName)
}

const isConnectionLost = (error: unknown): boolean => error instanceof ApiError && error.isConnectionLost
