import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { searchOf, type UsageView, viewOf } from './usage-view.ts'

/** The view in the address, and the way to another one; `instead` puts it in the place of this entry of the history. */
export const useUsageView = (): readonly [UsageView, (next: UsageView, instead?: boolean) => void] => {
  const [search, setSearch] = useSearchParams()
  const view = useMemo(() => viewOf(search), [search])
  const show = (next: UsageView, instead = false): void => {
    const written = searchOf(next)
    if (written.toString() !== search.toString()) setSearch(written, { replace: instead })
  }
  return [view, show]
}
