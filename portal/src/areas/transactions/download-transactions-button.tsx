import type { BillingPeriod } from '@counterfoil/contract/agreements'
import type { Transaction } from '@counterfoil/contract/transactions'
import { useState } from 'react'
import { saveFile } from '../../api/save-file.ts'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useJustChanged } from '../../ui/use-just-changed.ts'
import type { ExtraField } from './extra-fields.ts'
import { transactionsFileName } from './period-names.ts'
import { transactionsCsv } from './transactions-csv.ts'

interface DownloadTransactionsButtonProps {
  /** Undefined while loading. */
  loaded: { readonly period: BillingPeriod; readonly rows: readonly Transaction[] } | undefined
  extraFields: readonly ExtraField[]
}

/** Saves the given transactions, those that the search leaves, as a CSV file made in the browser. */
export const DownloadTransactionsButton = ({ loaded, extraFields }: DownloadTransactionsButtonProps) => {
  const [saved, setSaved] = useState<Blob>()
  const wasJustSaved = useJustChanged(saved)

  const save = (): void => {
    if (loaded === undefined) return
    const blob = new Blob([transactionsCsv(loaded.rows, extraFields)], { type: 'text/csv;charset=utf-8' })
    saveFile({ blob, name: transactionsFileName(loaded.period) }, '')
    setSaved(blob)
  }

  return (
    <Button kind="quiet" disabled={loaded === undefined || loaded.rows.length === 0} onPress={save}>
      <Icon name={wasJustSaved ? 'check' : 'download'} />
      Download Transactions
    </Button>
  )
}
