import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { addressParams } from '../../shell/navigation/address-params.ts'
import { toSearchParams, type UsageView, parseUsageView } from './usage-view.ts'

/** Gives the view that follows a view. */
export type ChangeView = (view: UsageView) => UsageView

/**
 * The view in the address, and a function that changes it; with `replace` it replaces the history entry. The change starts from the address
 * as it is now: two filters that are chosen before the page was drawn again are both kept.
 */
export const useUsageView = (): readonly [UsageView, (change: ChangeView, replace?: boolean) => void] => {
  const [search, setSearch] = useSearchParams()
  const view = useMemo(() => parseUsageView(search), [search])
  const changeView = (change: ChangeView, replace = false): void => {
    const current = addressParams()
    const next = toSearchParams(change(parseUsageView(current)))
    if (next.toString() !== current.toString()) setSearch(next, { replace })
  }
  return [view, changeView]
}
