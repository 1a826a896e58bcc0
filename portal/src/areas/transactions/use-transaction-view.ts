import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { agreementsQuery } from '../../api/agreements.data.ts'
import { periodsQuery } from './transactions.data.ts'

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_DELAY_MS = 300

/** The view, kept in the address: agreement, period and search. The default is the first agreement and its newest period (TXN-01). */
export const useTransactionView = () => {
  const [params, setParams] = useSearchParams()
  const agreements = useQuery(agreementsQuery())
  const agreement = findOrFirst(agreements.data, params.get('agreement'))
  const periods = useQuery({ ...periodsQuery(agreement?.id ?? 0), enabled: agreement !== undefined })
  const period = findOrFirst(periods.data, params.get('period'))

  const select = (name: 'agreement' | 'period', id: string): void => setParams((last) => withParam(last, name, id), { replace: true })
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

/** A text of the address that is typed: it holds at once, and stands in the address a little later. */
const useTypedParam = (name: string): readonly [string, (text: string) => void] => {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get(name) ?? ''
  const [typed, setTyped] = useState({ text: inAddress, written: inAddress, seen: inAddress })
  if (typed.seen !== inAddress) {
    // Another text than the one written here comes from a link or from going back.
    setTyped({ ...typed, seen: inAddress, text: inAddress === typed.written ? typed.text : inAddress })
  }

  useEffect(() => {
    if (typed.text === inAddress) return undefined
    const timer = setTimeout(() => {
      setTyped((last) => ({ ...last, written: typed.text }))
      setParams((last) => withParam(last, name, typed.text), { replace: true })
    }, ADDRESS_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed.text, inAddress, name, setParams])

  return [typed.text, (text) => setTyped((last) => ({ ...last, text }))]
}

const withParam = (params: URLSearchParams, name: string, value: string): URLSearchParams => {
  const next = new URLSearchParams(params)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}

const findOrFirst = <Row extends { id: number }>(rows: readonly Row[] | undefined, id: string | null): Row | undefined =>
  rows?.find((row) => String(row.id) === id) ?? rows?.[0]
