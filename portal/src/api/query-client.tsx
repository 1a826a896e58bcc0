import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Banner } from '../ui/feedback/banner.tsx'
import { AskFailed } from './api-error.ts'

/**
 * What a person is told when a call fails (portal.md §8): the red banner, words beside what failed, or nothing.
 * Every query and mutation says which, for some by what went wrong; whatever says nothing is told by the banner.
 */
type FailureWay = 'banner' | 'inline' | 'log'

type Meta = { failure: FailureWay | ((error: unknown) => FailureWay) }

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

const FAILED = 'Our server returned error, try again later'
const FRESH_MS = 30_000

/** That something is being sent must be on the screen before the next click of a double click comes: a turn of the timer is too late. */
notifyManager.setScheduler(queueMicrotask)

/** The cache of all answers; it alone decides what a failure does. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => failed(error, query.meta, kindOf(query.queryKey)),
      onSuccess: (_data, query) => banner.settle(kindOf(query.queryKey)),
    }),
    mutationCache: new MutationCache({
      onError: (error, _given, _result, { meta, options }) => failed(error, meta, kindOf(options.mutationKey)),
      onSuccess: (_data, _given, _result, { options }) => banner.settle(kindOf(options.mutationKey)),
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: 'always',
        // What could not be loaded without a connection is asked for again as soon as there is one.
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 1 && gotNoAnswer(error),
      },
      mutations: { networkMode: 'always' },
    },
  })

/** The red banner, until it is closed, or what failed has gone well. */
export const FailureBanner = () => {
  const isRaised = useSyncExternalStore(banner.subscribe, banner.isRaised)
  return isRaised ? (
    <Banner tone="bad" onClose={banner.clear}>
      {FAILED}
    </Banner>
  ) : null
}

/** Takes the banner down, as a new page does: what failed is no longer on the screen. */
export const dismissBanner = (): void => banner.clear()

/** What is asked for, whatever its page and filter: the area and the question, as every key begins. */
const kindOf = (key: readonly unknown[] = []): string => key.slice(0, 2).join(' ')

const failed = (error: unknown, meta: Meta | undefined, kind: string): void => {
  // The sign-in page is already being opened.
  if (error instanceof AskFailed && error.status === 401) return
  console.error(error)
  const way = meta?.failure ?? 'banner'
  if ((typeof way === 'function' ? way(error) : way) === 'banner') banner.raise(kind)
}

const gotNoAnswer = (error: unknown): boolean => error instanceof AskFailed && error.status === 0

const newBanner = () => {
  const kinds = new Set<string>()
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    raise: (kind: string) => {
      kinds.add(kind)
      tell()
    },
    settle: (kind: string) => {
      if (kinds.delete(kind)) tell()
    },
    clear: () => {
      kinds.clear()
      tell()
    },
    isRaised: () => kinds.size > 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const banner = newBanner()
