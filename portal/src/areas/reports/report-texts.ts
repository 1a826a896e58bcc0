import { EXPORT_TYPE, REPORT_STATUS, type Report, type ReportRun } from '@counterfoil/contract/reports'
import { formatDay, formatDayRange, formatTime } from '../../format/format.ts'
import type { TagTone } from '../../ui/feedback/tag.tsx'

/** The format of a report's file, as people call it: "CSV", "PDF" or "Excel". */
export const formatLabel = ({ exportTypeId }: Pick<Report, 'exportTypeId'>): string => {
  if (exportTypeId === EXPORT_TYPE.csv) return 'CSV'
  return exportTypeId === EXPORT_TYPE.pdf ? 'PDF' : 'Excel'
}

const NEEDS: Readonly<Record<Report['parameters'][number]['name'], string>> = {
  DateRange: 'dates',
  ServiceId: 'a service',
  InvoiceId: 'an invoice',
}

/** What must be chosen before a report can be made: "Needs an invoice"; "Nothing needed" where everything has a default. */
export const needsText = ({ parameters }: Pick<Report, 'parameters'>): string => {
  const needs = parameters.filter(({ required }) => required).map(({ name }) => NEEDS[name])
  return needs.length === 0 ? 'Nothing needed' : `Needs ${needs.join(' and ')}`
}

type RunChoice = Pick<ReportRun, 'timeframe' | 'from' | 'to' | 'service' | 'invoice'>

/** What a report was made of: "Last Month, 1 – 31 Oct 2026 · 4G Data"; "" where nothing was chosen. */
export const choiceText = ({ timeframe, from, to, service, invoice }: RunChoice): string => {
  const days = from === null || to === null ? [] : [`${timeframe === null ? '' : `${timeframe}, `}${formatDayRange({ from, to })}`]
  return [...days, service, invoice].filter((part) => part !== null).join(' · ')
}

/** An instant in UTC, as "24 Nov 2026, 06:52 UTC". */
export const instantText = (instant: string): string => `${formatDay(instant)}, ${formatTime(instant)} UTC`

/** Who asked for a report: the user's name, "Support", or "A former user". */
export const requesterText = ({ requestedBy, bySupport }: Pick<ReportRun, 'requestedBy' | 'bySupport'>): string => {
  if (bySupport) return 'Support'
  return requestedBy ?? 'A former user'
}

/** Is a report still waiting or being made? */
export const isRunning = ({ status }: Pick<ReportRun, 'status'>): boolean => status < REPORT_STATUS.ready

interface RunState {
  readonly label: string
  readonly tone: TagTone
  /** Until when its file is there, or why it failed. */
  readonly note: string | null
}

/** How far a report is, as a label with its colour: waiting, being made, ready, expired or failed. */
export const runState = ({
  status,
  expired,
  expiresAt,
  reason,
}: Pick<ReportRun, 'status' | 'expired' | 'expiresAt' | 'reason'>): RunState => {
  if (status === REPORT_STATUS.failed) return { label: 'Failed', tone: 'bad', note: reason }
  if (status === REPORT_STATUS.waiting) return { label: 'Waiting', tone: 'plain', note: null }
  if (status === REPORT_STATUS.running) return { label: 'Being made', tone: 'warn', note: null }
  if (expired) return { label: 'Expired', tone: 'plain', note: expiresAt && `since ${instantText(expiresAt)}` }
  return { label: 'Ready', tone: 'good', note: expiresAt && `until ${instantText(expiresAt)}` }
}
