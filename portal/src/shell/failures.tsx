import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Banner } from '../ui/banner.tsx'
import { AskFailed } from './ask-failed.ts'

/**
 * What a person is told when a call fails (portal.md §8): the red banner, words beside what failed, or nothing.
 * Every query and mutation says which; whatever says nothing is told by the banner.
 */
type FailureWay = 'banner' | 'inline' | 'log'

type Meta = { failure: FailureWay }

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
    queryCache: new QueryCache({ onError: (error, query) => failed(error, query.meta) }),
    mutationCache: new MutationCache({ onError: (error, _given, _result, mutation) => failed(error, mutation.meta) }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, networkMode: 'always', retry: (failures, error) => failures < 1 && gotNoAnswer(error) },
      mutations: { networkMode: 'always' },
    },
  })

/** The red banner, while there is something to tell. */
export const FailureBanner = () => {
  const isRaised = useSyncExternalStore(banner.subscribe, banner.isRaised)
  return isRaised ? (
    <Banner tone="bad" onClose={banner.lower}>
      {FAILED}
    </Banner>
  ) : null
}

/** Takes the banner down, as a new page does: what failed is no longer on the screen. */
export const dismissBanner = (): void => banner.lower()

const failed = (error: unknown, meta: Meta | undefined): void => {
  // The sign-in page is already being opened.
  if (error instanceof AskFailed && error.status === 401) return
  console.error(error)
  if ((meta?.failure ?? 'banner') === 'banner') banner.raise()
}

const gotNoAnswer = (error: unknown): boolean => error instanceof AskFailed && error.status === 0

const newBanner = () => {
  let raised = false
  const listeners = new Set<() => void>()
  const set = (next: boolean): void => {
    raised = next
    for (const tell of listeners) tell()
  }
  return {
    raise: () => set(true),
    lower: () => set(false),
    isRaised: () => raised,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const banner = newBanner()
