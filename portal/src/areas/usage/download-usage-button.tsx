import type { Span } from '@counterfoil/contract/kit/day'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/chart/meter.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './usage.module.css'
import { usageDownload } from './usage.data.ts'
import type { DownloadProgress } from './usage-download.ts'
import type { UsageFilter } from './usage-view.ts'
import { downloadFailure, progressWords, recordsWords } from './usage-texts.ts'

export interface DownloadUsageProps {
  filter: UsageFilter
  span: Span
  /** The name of the service that is filtered by; undefined for all. */
  serviceName: string | undefined
  /** How many records the filter has, as far as is known. */
  total: number
}

/** From here on a file of some hundred megabytes is to be expected. */
const VAST_ROWS = 1_000_000
const SHOWN_EVERY_MS = 100

/** "Download Usage": saves every record of the filter, shows how far it is and how it ended, and can be cancelled. */
export const DownloadUsage = ({ filter, span, serviceName, total }: DownloadUsageProps) => {
  const [progress, setProgress] = useState<DownloadProgress | null>(null)
  const running = useRef<AbortController | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const download = useMutation(usageDownload())
  const { data: outcome, isPending } = download
  useEffect(() => () => running.current?.abort(), [])

  const begin = (): void => {
    const stop = new AbortController()
    running.current = stop
    setProgress(null)
    download.mutate({
      filter,
      span,
      likelyName: `${serviceName ?? 'All'}_Usage.csv`,
      isVast: total >= VAST_ROWS,
      onProgress: nowAndThen(setProgress),
      signal: stop.signal,
    })
  }

  /** The button goes with the download that it ends; the focus goes to the one that begins another. */
  const cancel = (): void => {
    place.current?.querySelector<HTMLElement>(':scope > button:last-of-type')?.focus()
    running.current?.abort()
  }

  return (
    <div ref={place} className={styles.download}>
      {isPending && progress !== null && <Progress progress={progress} />}
      <output className={styles.outcome}>
        {isPending && <VisuallyHidden>Downloading usage</VisuallyHidden>}
        {outcome !== undefined && outcome !== 'cancelled' && `Saved ${outcome.saved}: ${recordsWords(outcome.rows)}`}
        {outcome === 'cancelled' && 'Cancelled. Nothing was saved.'}
      </output>
      {download.isError && (
        <span className={styles.failed} role="alert">
          {downloadFailure(download.error)}
        </span>
      )}
      {isPending && (
        <Button kind="plain" label="Cancel the download" onPress={cancel}>
          Cancel
        </Button>
      )}
      <Button kind="quiet" busy={isPending} onPress={begin}>
        {!isPending && <Icon name="download" />}
        Download Usage
      </Button>
    </div>
  )
}

const Progress = ({ progress }: { progress: DownloadProgress }) => (
  <div className={styles.progress}>
    {progressWords(progress)}
    <Meter label="Download Usage" value={progress.rows} max={progress.of} reading={progressWords(progress)} />
  </div>
)

/** Tells at most ten times a second: a file comes in thousands of pieces. */
const nowAndThen = (tell: (progress: DownloadProgress) => void): ((progress: DownloadProgress) => void) => {
  let toldAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - toldAt < SHOWN_EVERY_MS) return
    toldAt = now
    tell(progress)
  }
}
