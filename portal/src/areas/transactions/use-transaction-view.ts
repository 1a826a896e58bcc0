import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { agreementsQuery } from '../../api/agreements.data.ts'
import { useTypedParam, withParam } from '../../shell/navigation/address-params.ts'
import { periodsQuery } from './transactions.data.ts'

/** The view, kept in the address: agreement, period and search. The default is the first agreement and its newest period (TXN-01). */
export const useTransactionView = () => {
  const [params, setParams] = useSearchParams()
  const agreements = useQuery(agreementsQuery())
  const agreement = findOrFirst(agreements.data, params.get('agreement'))
  const periods = useQuery({ ...periodsQuery(agreement?.id ?? 0), enabled: agreement !== undefined })
  const period = findOrFirst(periods.data, params.get('period'))

  const select = (name: 'agreement' | 'period', id: string): void => setParams(withParam(name, id), { replace: true })
  const [search, setSearch] = useTypedParam('search')

  return {
    agreement,
    period,
    agreements,
    periods,
    select,
    search,
    setSearch,
    isPending: agreements.isPending || (agreement !== undefined && periods.isPending),
  }
}

/** The row with this id, else the first; undefined while the rows are loading, or without any. */
const findOrFirst = <Row extends { id: number }>(rows: readonly Row[] | undefined, id: string | null): Row | undefined =>
  rows?.find((row) => String(row.id) === id) ?? rows?.[0]
