import type { Report } from '@counterfoil/contract/reports'
import { useState } from 'react'
import type { SavedFile } from '../../api/save-file.ts'
import { todayUtc } from '../../format/format.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { DateRangeField } from './date-range-field.tsx'
import { InvoiceField, ServiceField } from './service-and-invoice-fields.tsx'
import { initialInput, parameterOf, toChoice, type ReportInput } from './report-input.ts'
import { isClientError, type ReportStage } from './reports.data.ts'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './reports.module.css'
import { useReportGeneration } from './use-report-generation.ts'

const STAGE_TEXTS: Readonly<Record<ReportStage, string>> = {
  requesting: 'Requesting your report…',
  queued: 'Your report is queued…',
  generating: 'Generating your report…',
  downloading: 'Downloading your report…',
}

interface GenerateDialogProps {
  readonly report: Report
  readonly onClose: () => void
  readonly onSaved: (file: SavedFile) => void
}

/** Asks for a report's parameters, generates it and saves the file. It cannot be closed meanwhile. */
export const GenerateDialog = ({ report, onClose, onSaved }: GenerateDialogProps) => {
  const [today] = useState(todayUtc)
  const [input, setInput] = useState(() => initialInput(report, today))
  const { generate, isGenerating, error, stage } = useReportGeneration(report, onSaved)
  const choice = toChoice(report, input, today)
  const change = (part: Partial<ReportInput>): void => setInput((previous) => ({ ...previous, ...part }))
  const [dateRange, service, invoice] = (['DateRange', 'ServiceId', 'InvoiceId'] as const).map((name) => parameterOf(report, name))

  return (
    <Dialog
      title={`Generate ${report.name}`}
      isOpen
      onClose={onClose}
      busy={isGenerating}
      onSubmit={() => choice !== undefined && generate(choice)}
      actions={
        <>
          <Button kind="quiet" disabled={isGenerating} onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={choice === undefined} busy={isGenerating} busyText="Generating…">
            Generate
          </Button>
        </>
      }
    >
      <fieldset className={styles.fields} disabled={isGenerating}>
        {dateRange && <DateRangeField required={dateRange.required} input={input} today={today} onChange={change} />}
        {service && <ServiceField required={service.required} value={input.serviceId} onChange={(serviceId) => change({ serviceId })} />}
        {invoice && <InvoiceField required={invoice.required} value={input.invoiceId} onChange={(invoiceId) => change({ invoiceId })} />}
      </fieldset>
      <output className={styles.stage}>{isGenerating && STAGE_TEXTS[stage]}</output>
      <ErrorText>{error !== null && errorText(error)}</ErrorText>
    </Dialog>
  )
}

/** The server's message for a 4xx error, else a general text. */
const errorText = (error: Error): string => (isClientError(error) ? error.message : 'Your report could not be generated. Try again.')
