import { REPORT_LIFETIME_HOURS, type ReportRun } from '@counterfoil/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SavedFile } from '../../api/save-file.ts'
import { formatFileSize } from '../../format/file-size.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../ui/grid/grid-model.ts'
import { choiceText, instantText, requesterText, runState } from './report-texts.ts'
import { reportRunsQuery } from './reports.data.ts'
import styles from './reports.module.css'
import { RunActions } from './run-actions.tsx'

const TITLE = 'Recent files'
const NO_RUNS: readonly ReportRun[] = []

/** The customer's last reports, whoever made them, each to download or to make again. */
export const RecentFiles = ({ onSaved }: { onSaved: (file: SavedFile) => void }) => {
  const { data, isPending, isError, refetch } = useQuery(reportRunsQuery())
  const columns = useMemo(() => runColumns(onSaved), [onSaved])
  return (
    <section aria-labelledby="recent-files">
      <h2 id="recent-files" className={styles.heading}>
        {TITLE}
      </h2>
      <p className={styles.explanation}>
        Files can be downloaded for {REPORT_LIFETIME_HOURS} hours, by everyone who signs in for this account.
      </p>
      <DataGrid
        label={TITLE}
        columns={columns}
        rows={data ?? NO_RUNS}
        rowKey={({ id }) => id}
        busy={isPending}
        empty={
          isError ? (
            <Unavailable subject={TITLE} onRetry={() => void refetch()} />
          ) : (
            'No files yet. Generate a report, and its file stays here to be downloaded.'
          )
        }
      />
    </section>
  )
}

/** The columns of the last reports: report with its choice, when and by whom it was made, size, status, actions. */
const runColumns = (onSaved: (file: SavedFile) => void): readonly GridColumn<ReportRun>[] => [
  {
    key: 'file',
    label: 'Report',
    cell: (run) => (
      <>
        <span className={styles.name}>{run.name}</span>
        <span className={styles.note}>{choiceText(run) || 'Everything'}</span>
      </>
    ),
    sortBy: ({ name }) => name,
  },
  {
    key: 'made',
    label: 'Made',
    cell: (run) => (
      <>
        <time className={styles.time} dateTime={run.requestedAt}>
          {instantText(run.requestedAt)}
        </time>
        <span className={styles.note}>by {requesterText(run)}</span>
      </>
    ),
    sortBy: ({ requestedAt }) => requestedAt,
  },
  {
    key: 'size',
    label: 'Size',
    align: 'end',
    unlabeledInCard: true,
    cell: ({ sizeBytes }) => (sizeBytes === null ? '–' : formatFileSize(sizeBytes)),
    sortBy: ({ sizeBytes }) => sizeBytes ?? '',
  },
  {
    key: 'status',
    label: 'Status',
    cell: (run) => <RunStatus run={run} />,
    sortBy: (run) => runState(run).label,
  },
  { key: 'actions', label: 'Actions', isActions: true, cell: (run) => <RunActions run={run} onSaved={onSaved} /> },
]

/** A report's status as a tag, with until when the file is there, or why it failed. */
const RunStatus = ({ run }: { run: ReportRun }) => {
  const { label, tone, note } = runState(run)
  return (
    <>
      <Tag tone={tone}>{label}</Tag>
      {note !== null && <RunNote note={note} expiresAt={run.expiresAt} />}
    </>
  )
}

/** The note of a report's status; as a time element where it names when the file expires. */
const RunNote = ({ note, expiresAt }: { note: string; expiresAt: string | null }) =>
  expiresAt === null ? (
    <span className={styles.note}>{note}</span>
  ) : (
    <time className={`${styles.note} ${styles.time}`} dateTime={expiresAt}>
      {note}
    </time>
  )
