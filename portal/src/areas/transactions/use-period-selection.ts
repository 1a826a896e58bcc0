import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { agreementsQuery } from '../../api/agreements.data.ts'
import { periodsQuery } from './transactions.data.ts'

/** The selected agreement and period, kept in the address. The default is the first agreement and its newest period (TXN-01). */
export const usePeriodSelection = () => {
  const [search, setSearch] = useSearchParams()
  const agreements = useQuery(agreementsQuery())
  const agreement = findOrFirst(agreements.data, search.get('agreement'))
  const periods = useQuery({ ...periodsQuery(agreement?.id ?? 0), enabled: agreement !== undefined })
  const period = findOrFirst(periods.data, search.get('period'))

  const select = (name: 'agreement' | 'period', id: string): void => {
    search.set(name, id)
    setSearch(search, { replace: true })
  }
  return {
    agreement,
    period,
    agreements,
    periods,
    select,
    isPending: agreements.isPending || (agreement !== undefined && periods.isPending),
  }
}

const findOrFirst = <Row extends { id: number }>(rows: readonly Row[] | undefined, id: string | null): Row | undefined =>
  rows?.find((row) => String(row.id) === id) ?? rows?.[0]
