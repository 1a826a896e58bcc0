import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { REPORT_POLL_MS, REPORT_STATUS, reports } from '@counterfoil/contract/reports'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { type AnsweredFile, ask, AskFailed, askFile } from '../../api/call-api.ts'

/** The reports that the reseller offers. Its failure is only logged (portal.md §8). */
export const reportsQuery = () =>
  queryOptions({
    queryKey: ['reports', 'list'],
    queryFn: ({ signal }) => ask(reports.list, { signal }),
    meta: { failure: 'log' },
  })

/** What is being done for a report. */
export type ReportStage = 'asking' | 'waiting' | 'making' | 'fetching'

export interface ReportOrder {
  readonly id: number
  readonly parameters: Parameters
  /** Stops asking after the report; the server makes it all the same. */
  readonly signal: AbortSignal
  readonly onStage: (stage: ReportStage) => void
}

/** Did the server refuse what was asked for, in words that say what to do about it? */
export const isRefusal = (error: unknown): error is AskFailed => error instanceof AskFailed && error.status >= 400 && error.status < 500

/**
 * Has a report made and fetches its file; null when its signal stopped it. A failure, status 40 too, raises the red banner; a refusal
 * stands in the dialog alone, for the banner would say that the server had failed.
 */
export const reportFile = () =>
  mutationOptions({
    mutationKey: ['reports', 'file'],
    mutationFn: (order: ReportOrder) => fileOf(order).catch((error: unknown) => ifStopped(order, error)),
    meta: { failure: (error) => (isRefusal(error) ? 'inline' : 'banner') },
  })

const fileOf = async ({ id, parameters, signal, onStage }: ReportOrder): Promise<AnsweredFile> => {
  onStage('asking')
  const { reportId } = await ask(reports.generate, { body: { id, parameters }, signal })
  onStage('waiting')
  for (;;) {
    await pause(signal)
    const { status, path } = await statusOf(reportId, signal)
    if (status === REPORT_STATUS.failed) throw new Error(`report ${reportId} has failed`)
    if (status === REPORT_STATUS.running) onStage('making')
    if (status !== REPORT_STATUS.ready || path === null) continue
    onStage('fetching')
    return askFile(reports.blob, { params: { path }, signal })
  }
}

const ifStopped = ({ signal }: ReportOrder, error: unknown): null => {
  if (signal.aborted) return null
  throw error
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new DOMException('stopped', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, REPORT_POLL_MS)
    signal.addEventListener('abort', stop, { once: true })
  })

/** So often in a row the line may be down before the report is given up. */
const MOST_LOST = 5

const statusOf = async (id: string, signal: AbortSignal): ReturnType<typeof ask<typeof reports.status>> => {
  for (let lost = 1; ; lost += 1) {
    try {
      return await ask(reports.status, { params: { id }, signal })
    } catch (error) {
      const isLost = error instanceof AskFailed && (error.status === 0 || error.status === 503)
      if (!isLost || lost === MOST_LOST) throw error
      await pause(signal)
    }
  }
}
