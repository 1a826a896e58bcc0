import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { toSearchParams, type UsageView, parseUsageView } from './usage-view.ts'

/** The view in the address, and a function that changes it; with `replace` it replaces the history entry. */
export const useUsageView = (): readonly [UsageView, (nextView: UsageView, replace?: boolean) => void] => {
  const [search, setSearch] = useSearchParams()
  const view = useMemo(() => parseUsageView(search), [search])
  const setView = (nextView: UsageView, replace = false): void => {
    const nextSearch = toSearchParams(nextView)
    if (nextSearch.toString() !== search.toString()) setSearch(nextSearch, { replace: replace })
  }
  return [view, setView]
}
