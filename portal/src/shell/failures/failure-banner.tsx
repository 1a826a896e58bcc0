import { useSyncExternalStore } from 'react'
import { failureStore } from '../../api/failure-store.ts'
import { Banner } from '../../ui/feedback/banner.tsx'

const FAILURE_TEXT = 'Our server returned error, try again later'

/** The red banner while any request is marked as failed. It disappears when it is closed or when what failed succeeds. */
export const FailureBanner = () => {
  const isRaised = useSyncExternalStore(failureStore.subscribe, failureStore.isRaised)
  return isRaised ? (
    <Banner tone="bad" onClose={failureStore.clear}>
      {FAILURE_TEXT}
    </Banner>
  ) : null
}

/** Hides the red banner and forgets all failures. A new page calls it, because what failed is no longer on the screen. */
export const dismissBanner = (): void => failureStore.clear()
