import { SpinnerOverlay } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'

/** How a load stands that several tiles wait for. */
export interface Wait {
  isBusy: boolean
  isFailed: boolean
  onAgain: () => void
}

/** What stands in a tile instead of its content: a spinner, or a word that it could not be loaded. */
export const Waiting = ({ what, wait }: { what: string; wait: Wait }) =>
  wait.isBusy ? <SpinnerOverlay label={`Loading ${what}`} /> : wait.isFailed ? <Unavailable what={what} onAgain={wait.onAgain} /> : null
