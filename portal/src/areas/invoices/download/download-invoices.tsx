import type { ArchiveFormat, Invoice } from '@counterfoil/contract/invoices'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { invoiceArchiveMutation } from './invoice-archive.data.ts'
import { saveFile } from '../../../api/save-file.ts'
import { formatFileSize } from '../../../format/file-size.ts'
import { useAccount } from '../../../shell/account/account.tsx'
import { invoiceLabels, invoiceNouns } from '../../../shell/account/invoice-labels.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Meter } from '../../../ui/chart/meter.tsx'
import { ErrorText } from '../../../ui/form/error-text.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import type { ArchiveProgress } from './archive-download.ts'
import { archiveErrorText, countText, limitText, progressText } from './archive-texts.ts'
import styles from './download-invoices.module.css'
import { invoicesCsv, invoicesFileName } from './invoices-csv.ts'

export interface DownloadInvoicesProps {
  /** The selected invoices, else those that the filter leaves. */
  readonly invoices: readonly Invoice[]
  readonly isSelection: boolean
  /** The year that the list is filtered by; empty for all. */
  readonly year: string
  /** These are all invoices of that year. */
  readonly isWholeYear: boolean
}

/** "Download": the list as CSV, or its PDFs as one ZIP or one PDF, with progress, result and Cancel (EASE-05). */
export const DownloadInvoices = ({ invoices, isSelection, year, isWholeYear }: DownloadInvoicesProps) => {
  const { settings } = useAccount()
  const labels = invoiceLabels(settings)
  const nouns = invoiceNouns(settings)
  const [progress, setProgress] = useState<ArchiveProgress | null>(null)
  const [problem, setProblem] = useState('')
  const controller = useRef<AbortController | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const download = useMutation(invoiceArchiveMutation())
  const { data: outcome, isPending } = download
  useEffect(() => () => controller.current?.abort(), [])

  const fileName = (ending: string): string => invoicesFileName(labels.plural, isSelection ? '' : year, ending)
  const saveList = (): void => {
    const blob = new Blob([invoicesCsv(invoices, labels.singular)], { type: 'text/csv;charset=utf-8' })
    saveFile({ blob, name: fileName('.csv') }, '')
  }
  const saveArchive = (format: ArchiveFormat): void => {
    const limit = limitText(format, invoices.length, isWholeYear, nouns)
    setProblem(limit)
    download.reset()
    if (limit !== '') return
    const abortController = new AbortController()
    controller.current = abortController
    setProgress(null)
    const chosen = isWholeYear ? { year: Number(year) } : { ids: invoices.map(({ id }) => id).join(',') }
    download.mutate({
      query: { format, ...chosen },
      fallbackName: fileName(`.${format}`),
      onProgress: setProgress,
      signal: abortController.signal,
    })
  }
  const select = (id: string): void => (id === 'zip' || id === 'pdf' ? saveArchive(id) : saveList())
  /** The Cancel button goes away, so the focus moves to the menu's button. */
  const cancel = (): void => {
    container.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
    controller.current?.abort()
  }

  const count = countText(invoices.length, nouns)
  const waitText = progress === null ? `Preparing ${count}…` : progressText(progress, nouns)
  return (
    <div ref={container} className={styles.download}>
      {isPending && (
        <div className={styles.progress}>
          {waitText}
          <Meter label={`Download ${labels.plural}`} value={progress?.value ?? 0} max={progress?.total || 1} valueText={waitText} />
        </div>
      )}
      <output className={styles.outcome}>
        {outcome === 'cancelled' && 'Cancelled. Nothing was saved.'}
        {outcome !== undefined && outcome !== 'cancelled' && `Saved ${outcome.fileName}: ${savedText(outcome, nouns)}`}
      </output>
      <ErrorText>{problem || (download.isError && archiveErrorText(download.error))}</ErrorText>
      {isPending && (
        <Button kind="plain" label="Cancel the download" onPress={cancel}>
          Cancel
        </Button>
      )}
      <Menu
        label={isSelection ? `Download ${invoices.length} selected` : 'Download'}
        entries={[
          { id: 'csv', label: `List of ${count} as CSV` },
          // One archive at a time.
          ...(isPending ? [] : [{ id: 'zip', label: `ZIP with ${invoices.length === 1 ? 'the PDF' : 'the PDFs'} of ${count}` }]),
          ...(isPending ? [] : [{ id: 'pdf', label: `One PDF of ${count}` }]),
        ]}
        onSelect={select}
      />
    </div>
  )
}

/** Such as "12 invoices, 1.2 MB". */
const savedText = ({ documents, bytes }: { documents: number; bytes: number }, nouns: { singular: string; plural: string }): string =>
  `${countText(documents, nouns)}, ${formatFileSize(bytes)}`
