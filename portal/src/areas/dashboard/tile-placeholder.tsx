import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'

/** The state of a request that fills a tile. */
export interface LoadState {
  isBusy: boolean
  isFailed: boolean
  onRetry: () => void
}

/** Shown in a tile without data: a spinner, or "could not be loaded" with a retry. */
export const TilePlaceholder = ({ subject, loadState }: { subject: string; loadState: LoadState }) =>
  loadState.isBusy ? (
    <SpinnerOverlay label={`Loading ${subject}`} />
  ) : loadState.isFailed ? (
    <Unavailable subject={subject} onRetry={loadState.onRetry} />
  ) : null
