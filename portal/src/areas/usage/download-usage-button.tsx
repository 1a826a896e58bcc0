import { toFileName } from '@counterfoil/contract/kit/file-name'
import type { UsageFilter } from '@counterfoil/contract/kit/usage-filter'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatFileSize } from '../../format/file-size.ts'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/chart/meter.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './usage.module.css'
import { usageDownloadMutation } from './usage.data.ts'
import type { DownloadProgress } from './incomplete-download-error.ts'
import { downloadErrorText, progressText, recordCountText } from './usage-texts.ts'

export interface DownloadUsageButtonProps {
  filter: UsageFilter
  /** The name of the selected service; undefined for all. */
  serviceName: string | undefined
  /** The number of records of the filter, 0 until it is known. */
  total: number
}

/** Files with this many rows have hundreds of megabytes. */
const LARGE_FILE_ROWS = 1_000_000
const PROGRESS_INTERVAL_MS = 100

/** "Download Usage": saves every record of the filter, with progress, result and Cancel (USG-07). */
export const DownloadUsageButton = ({ filter, serviceName, total }: DownloadUsageButtonProps) => {
  const [progress, setProgress] = useState<DownloadProgress | null>(null)
  const controller = useRef<AbortController | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const download = useMutation(usageDownloadMutation())
  const { data: outcome, isPending } = download
  useEffect(() => () => controller.current?.abort(), [])

  const startDownload = (): void => {
    const abortController = new AbortController()
    controller.current = abortController
    setProgress(null)
    download.mutate({
      filter,
      suggestedName: `${toFileName(`${serviceName ?? 'All'}_Usage`)}.csv`,
      isLarge: total >= LARGE_FILE_ROWS,
      onProgress: throttle(setProgress),
      signal: abortController.signal,
    })
  }

  /** The Cancel button disappears, so the focus moves to the download button. */
  const cancel = (): void => {
    container.current?.querySelector<HTMLElement>(':scope > button:last-of-type')?.focus()
    controller.current?.abort()
  }

  return (
    <div ref={container} className={styles.download}>
      {isPending && progress !== null && <Progress progress={progress} />}
      <output className={styles.outcome}>
        {isPending && <VisuallyHidden>Downloading usage</VisuallyHidden>}
        {outcome !== undefined &&
          outcome !== 'cancelled' &&
          `Saved ${outcome.fileName}: ${recordCountText(outcome.rows)}, ${formatFileSize(outcome.bytes)}`}
        {outcome === 'cancelled' && 'Cancelled. Nothing was saved.'}
      </output>
      <ErrorText>{download.isError && downloadErrorText(download.error)}</ErrorText>
      {isPending && (
        <Button kind="plain" label="Cancel the download" onPress={cancel}>
          Cancel
        </Button>
      )}
      <Button kind="quiet" busy={isPending} onPress={startDownload}>
        {!isPending && <Icon name="download" />}
        Download Usage
      </Button>
    </div>
  )
}

/** How far the download is, as text and as a meter. */
const Progress = ({ progress }: { progress: DownloadProgress }) => (
  <div className={styles.progress}>
    {progressText(progress)}
    <Meter label="Download Usage" value={progress.rows} max={progress.total} valueText={progressText(progress)} />
  </div>
)

/** Passes on the first progress of each `PROGRESS_INTERVAL_MS` and drops the others, because a file arrives in thousands of chunks. */
const throttle = (report: (progress: DownloadProgress) => void): ((progress: DownloadProgress) => void) => {
  let reportedAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = now
    report(progress)
  }
}
