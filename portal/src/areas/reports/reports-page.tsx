import type { Report } from '@counterfoil/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Page } from '../../shell/page.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { formatFileSize } from '../../format/file-size.ts'
import type { SavedFile } from '../../api/save-file.ts'
import { GenerateDialog } from './generate-dialog.tsx'
import { RecentFiles } from './recent-files.tsx'
import { reportColumns } from './report-columns.tsx'
import { reportsQuery } from './reports.data.ts'
import styles from './reports.module.css'

const NO_REPORTS: readonly Report[] = []

/** `/reports`: the reports that the reseller offers, each with a Generate button, and the files of the last ones. */
export const ReportsPage = () => {
  const { data, isPending, isError, refetch } = useQuery(reportsQuery())
  const [selected, setSelected] = useState<Report | null>(null)
  const [saved, setSaved] = useState<SavedFile | null>(null)
  const columns = useMemo(() => reportColumns(setSelected), [])
  const close = (file: SavedFile | null): void => {
    setSelected(null)
    setSaved(file)
  }

  return (
    <Page title="Reports">
      <output className={styles.saved}>{saved !== null && `Saved ${saved.name}, ${formatFileSize(saved.bytes)}`}</output>
      <DataGrid
        label="Reports"
        columns={columns}
        rows={data ?? NO_REPORTS}
        rowKey={({ id }) => String(id)}
        busy={isPending}
        empty={isError ? <Unavailable subject="Reports" onRetry={() => void refetch()} /> : 'There are no data yet'}
      />
      <RecentFiles onSaved={setSaved} />
      {selected !== null && <GenerateDialog report={selected} onClose={() => close(null)} onSaved={close} />}
    </Page>
  )
}
