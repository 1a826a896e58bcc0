import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'

/** How a load stands that several tiles wait for. */
export interface LoadState {
  isBusy: boolean
  isFailed: boolean
  onRetry: () => void
}

/** What stands in a tile instead of its content: a spinner, or a word that it could not be loaded. */
export const TilePlaceholder = ({ what, loadState }: { what: string; loadState: LoadState }) =>
  loadState.isBusy ? (
    <SpinnerOverlay label={`Loading ${what}`} />
  ) : loadState.isFailed ? (
    <Unavailable subject={what} onRetry={loadState.onRetry} />
  ) : null
