import type { ReportRun } from '@counterfoil/contract/reports'
import { useMutation } from '@tanstack/react-query'
import { type SavedFile, saveFile } from '../../api/save-file.ts'
import { todayUtc } from '../../format/format.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { repeatedRequest } from './report-input.ts'
import { choiceText, instantText } from './report-texts.ts'
import { fetchReportFileMutation, isClientError } from './reports.data.ts'
import styles from './reports.module.css'
import { useReportGeneration } from './use-report-generation.ts'

interface RunActionsProps {
  readonly run: ReportRun
  readonly onSaved: (file: SavedFile) => void
}

/** The buttons of one of the last reports: Download saves its file, Make again generates the report anew and saves that. */
export const RunActions = ({ run, onSaved }: RunActionsProps) => {
  const download = useMutation(fetchReportFileMutation())
  const { generate, isGenerating, error } = useReportGeneration({ id: run.reportId, name: run.name }, onSaved)
  const { path } = run
  const fallbackName = run.fileName ?? run.name
  const nameOf = (verb: string): string =>
    `${verb} ${[run.name, choiceText(run)].filter(Boolean).join(', ')}, made ${instantText(run.requestedAt)}`

  return (
    <div className={styles.actions}>
      {path !== null && (
        <Button
          kind="plain"
          label={nameOf('Download')}
          busy={download.isPending}
          busyText="Downloading…"
          onPress={() => download.mutate(path, { onSuccess: (file) => onSaved(saveFile(file, fallbackName)) })}
        >
          Download
        </Button>
      )}
      {run.offered && (
        <Button
          kind="plain"
          label={nameOf('Make again')}
          busy={isGenerating}
          busyText="Generating…"
          onPress={() => generate(repeatedRequest(run, todayUtc()))}
        >
          Make again
        </Button>
      )}
      <ErrorText>
        {(download.isError && 'The file could not be downloaded. Try again.') || (error !== null && isClientError(error) && error.message)}
      </ErrorText>
    </div>
  )
}
