import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'

/** The state of a request that fills a tile. */
export interface LoadState {
  isBusy: boolean
  isFailed: boolean
  onRetry: () => void
}

/** Shown in a tile without data: a spinner, or "could not be loaded" with a retry. */
export const TilePlaceholder = ({ what, loadState }: { what: string; loadState: LoadState }) =>
  loadState.isBusy ? (
    <SpinnerOverlay label={`Loading ${what}`} />
  ) : loadState.isFailed ? (
    <Unavailable subject={what} onRetry={loadState.onRetry} />
  ) : null
