import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { REPORT_POLL_MS, REPORT_STATUS, reports } from '@counterfoil/contract/reports'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { type DownloadedFile, callApi, ApiError, fetchFile } from '../../api/call-api.ts'

/** The reports that the reseller offers. Its failure is only logged (portal.md §8). */
export const reportsQuery = () =>
  queryOptions({
    queryKey: ['reports', 'list'],
    queryFn: ({ signal }) => callApi(reports.list, { signal }),
    meta: { failure: 'log' },
  })

/** What is being done for a report. */
export type ReportStage = 'asking' | 'waiting' | 'making' | 'fetching'

export interface ReportRequest {
  readonly id: number
  readonly parameters: Parameters
  /** Stops asking after the report; the server makes it all the same. */
  readonly signal: AbortSignal
  readonly onStage: (stage: ReportStage) => void
}

/** Did the server refuse what was asked for, in words that say what to do about it? */
export const isClientError = (error: unknown): error is ApiError => error instanceof ApiError && error.status >= 400 && error.status < 500

/**
 * Has a report made and fetches its file; null when its signal stopped it. A failure, status 40 too, raises the red banner; a refusal
 * stands in the dialog alone, for the banner would say that the server had failed.
 */
export const generateReportMutation = () =>
  mutationOptions({
    mutationKey: ['reports', 'file'],
    mutationFn: (request: ReportRequest) => generateReport(request).catch((error: unknown) => nullIfAborted(request, error)),
    meta: { failure: (error) => (isClientError(error) ? 'inline' : 'banner') },
  })

const generateReport = async ({ id, parameters, signal, onStage }: ReportRequest): Promise<DownloadedFile> => {
  onStage('asking')
  const { reportId } = await callApi(reports.generate, { body: { id, parameters }, signal })
  onStage('waiting')
  for (;;) {
    await waitForNextPoll(signal)
    const { status, path } = await fetchReportStatus(reportId, signal)
    if (status === REPORT_STATUS.failed) throw new Error(`report ${reportId} has failed`)
    if (status === REPORT_STATUS.running) onStage('making')
    if (status !== REPORT_STATUS.ready || path === null) continue
    onStage('fetching')
    return fetchFile(reports.blob, { params: { path }, signal })
  }
}

const nullIfAborted = ({ signal }: ReportRequest, error: unknown): null => {
  if (signal.aborted) return null
  throw error
}

const waitForNextPoll = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(new DOMException('stopped', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }, REPORT_POLL_MS)
    signal.addEventListener('abort', cancel, { once: true })
  })

/** So often in a row the line may be down before the report is given up. */
const MAX_LOST_ANSWERS = 5

const fetchReportStatus = async (id: string, signal: AbortSignal): ReturnType<typeof callApi<typeof reports.status>> => {
  for (let lost = 1; ; lost += 1) {
    try {
      return await callApi(reports.status, { params: { id }, signal })
    } catch (error) {
      const isLost = error instanceof ApiError && (error.status === 0 || error.status === 503)
      if (!isLost || lost === MAX_LOST_ANSWERS) throw error
      await waitForNextPoll(signal)
    }
  }
}
