import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import { REPORT_POLL_MS, REPORT_STATUS, reports } from '@counterfoil/contract/reports'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { type DownloadedFile, callApi, ApiError, fetchFile } from '../../api/call-api.ts'

/** The reports that the reseller offers. A failure is only logged. */
export const reportsQuery = () =>
  queryOptions({
    queryKey: ['reports', 'list'],
    queryFn: ({ signal }) => callApi(reports.list, { signal }),
    meta: { failure: 'log' },
  })

/** The progress of a report. */
export type ReportStage = 'requesting' | 'queued' | 'generating' | 'downloading'

export interface ReportRequest {
  readonly id: number
  readonly parameters: Parameters
  /** Stops polling; the server still generates the report. */
  readonly signal: AbortSignal
  readonly onStage: (stage: ReportStage) => void
}

/** True for a 4xx error, whose message says what to do. */
export const isClientError = (error: unknown): error is ApiError => error instanceof ApiError && error.status >= 400 && error.status < 500

/**
 * Generates a report and downloads its file; null when it was aborted. A failure shows the banner (RPT-03), and the dialog says more.
 */
export const generateReportMutation = () =>
  mutationOptions({
    mutationKey: ['reports', 'file'],
    mutationFn: (request: ReportRequest) => generateReport(request).catch((error: unknown) => nullIfAborted(request, error)),
    meta: { failure: 'banner' },
  })

const generateReport = async ({ id, parameters, signal, onStage }: ReportRequest): Promise<DownloadedFile> => {
  onStage('requesting')
  const { reportId } = await callApi(reports.generate, { body: { id, parameters }, signal })
  onStage('queued')
  for (;;) {
    await waitForNextPoll(signal)
    const { status, path } = await fetchReportStatus(reportId, signal)
    if (status === REPORT_STATUS.failed) throw new Error(`report ${reportId} has failed`)
    if (status === REPORT_STATUS.running) onStage('generating')
    if (status !== REPORT_STATUS.ready || path === null) continue
    onStage('downloading')
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

/** The number of polls in a row that may get no response before the report is given up. */
const MAX_LOST_ANSWERS = 5

const fetchReportStatus = async (id: string, signal: AbortSignal): ReturnType<typeof callApi<typeof reports.status>> => {
  for (let lost = 1; ; lost += 1) {
    try {
      return await callApi(reports.status, { params: { id }, signal })
    } catch (error) {
      const isLost = error instanceof ApiError && (error.isConnectionLost || error.status === 503)
      if (!isLost || lost === MAX_LOST_ANSWERS) throw error
      await waitForNextPoll(signal)
    }
  }
}
