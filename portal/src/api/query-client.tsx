import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Banner } from '../ui/feedback/banner.tsx'
import { ApiError } from './api-error.ts'

/**
 * What a person is told when a call fails (portal.md §8): the red banner, words beside what failed, or nothing.
 * Every query and mutation says which, for some by what went wrong; whatever says nothing is told by the banner.
 */
type FailureDisplay = 'banner' | 'inline' | 'log'

type Meta = { failure: FailureDisplay | ((error: unknown) => FailureDisplay) }

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

const FAILURE_TEXT = 'Our server returned error, try again later'
const STALE_TIME_MS = 30_000

/** That something is being sent must be on the screen before the next click of a double click comes: a turn of the timer is too late. */
notifyManager.setScheduler(queueMicrotask)

/** The cache of all answers; it alone decides what a failure does. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => reportFailure(error, query.meta, queryKind(query.queryKey)),
      onSuccess: (_data, query) => failureStore.settle(queryKind(query.queryKey)),
    }),
    mutationCache: new MutationCache({
      onError: (error, _given, _result, { meta, options }) => reportFailure(error, meta, queryKind(options.mutationKey)),
      onSuccess: (_data, _given, _result, { options }) => failureStore.settle(queryKind(options.mutationKey)),
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        networkMode: 'always',
        // What could not be loaded without a connection is asked for again as soon as there is one.
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 1 && hasNoResponse(error),
      },
      mutations: { networkMode: 'always' },
    },
  })

/** The red banner, until it is closed, or what failed has gone well. */
export const FailureBanner = () => {
  const isRaised = useSyncExternalStore(failureStore.subscribe, failureStore.isRaised)
  return isRaised ? (
    <Banner tone="bad" onClose={failureStore.clear}>
      {FAILURE_TEXT}
    </Banner>
  ) : null
}

/** Takes the banner down, as a new page does: what failed is no longer on the screen. */
export const dismissBanner = (): void => failureStore.clear()

/** What is asked for, whatever its page and filter: the area and the question, as every key begins. */
const queryKind = (key: readonly unknown[] = []): string => key.slice(0, 2).join(' ')

const reportFailure = (error: unknown, meta: Meta | undefined, kind: string): void => {
  // The sign-in page is already being opened.
  if (error instanceof ApiError && error.status === 401) return
  console.error(error)
  const display = meta?.failure ?? 'banner'
  if ((typeof display === 'function' ? display(error) : display) === 'banner') failureStore.raise(kind)
}

const hasNoResponse = (error: unknown): boolean => error instanceof ApiError && error.status === 0

const createFailureStore = () => {
  const kinds = new Set<string>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    raise: (kind: string) => {
      kinds.add(kind)
      notify()
    },
    settle: (kind: string) => {
      if (kinds.delete(kind)) notify()
    },
    clear: () => {
      kinds.clear()
      notify()
    },
    isRaised: () => kinds.size > 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const failureStore = createFailureStore()
