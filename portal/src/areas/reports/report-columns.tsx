import type { Report } from '@counterfoil/contract/reports'
import { Button } from '../../ui/button/button.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import type { GridColumn } from '../../ui/grid/grid-model.ts'
import { formatLabel, needsText } from './report-texts.ts'
import styles from './reports.module.css'

/** The columns of the offered reports: name and purpose, format, what must be chosen, and the button Generate. */
export const reportColumns = (select: (report: Report) => void): readonly GridColumn<Report>[] => [
  {
    key: 'report',
    label: 'Report',
    cell: ({ name, description }) => (
      <>
        <span className={styles.name}>{name}</span>
        <span className={styles.note}>{description}</span>
      </>
    ),
    sortBy: ({ name }) => name,
    cardSlot: 'title',
  },
  {
    key: 'format',
    label: 'Format',
    cell: (report) => <Tag>{formatLabel(report)}</Tag>,
    sortBy: formatLabel,
    cardSlot: 'amount',
  },
  { key: 'needs', label: 'Requirements', cell: needsText, sortBy: needsText, nowrap: true, cardSlot: 'date' },
  {
    key: 'actions',
    label: 'Actions',
    isActions: true,
    cardSlot: 'status',
    cell: (report) => (
      <Button kind="plain" label={`Generate ${report.name}`} onPress={() => select(report)}>
        Generate
      </Button>
    ),
  },
]
