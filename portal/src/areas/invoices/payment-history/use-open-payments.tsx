import type { Invoice } from '@counterfoil/contract/invoices'
import { useMemo, useState } from 'react'
import { NARROW } from '../../../ui/grid/grid-frame.tsx'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { invoiceColumns } from '../invoice-columns.tsx'
import { PaymentsToggle } from './payments-toggle.tsx'

/** The id of the HTML element with an invoice's payments. */
export const historyId = (id: number): string => `payments-${id}`

/** The columns of the list with a button that opens an invoice's payments, and which invoices are open, in memory alone. */
export const useOpenPayments = (label: string, hasPayments: boolean) => {
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set())
  const isOnCards = useMediaQuery(NARROW)
  const columns = useMemo(() => {
    const toggle = ({ id, number }: Invoice) => (
      <PaymentsToggle
        number={number}
        controlledId={historyId(id)}
        isOpen={openIds.has(id)}
        onToggle={() => setOpenIds(withToggled(openIds, id))}
        hasText={isOnCards}
      />
    )
    return invoiceColumns(label, { toggle: hasPayments ? toggle : null, isOnCards })
  }, [label, hasPayments, openIds, isOnCards])
  return { columns, isOpen: ({ id }: Invoice): boolean => openIds.has(id) }
}

/** A copy of the ids: without the id where it was among them, else with it. */
const withToggled = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> => {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
