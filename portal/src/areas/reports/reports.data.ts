import { REPORT_POLL_MS, REPORT_STATUS, reports } from '@counterfoil/contract/reports'
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type DownloadedFile, callApi, ApiError, fetchFile } from '../../api/call-api.ts'
import type { ReportChoice } from './report-input.ts'
import { isRunning } from './report-texts.ts'

/** Query options: the reports that the reseller offers. A failure is only logged. */
export const reportsQuery = () =>
  queryOptions({
    queryKey: ['reports', 'list'],
    queryFn: ({ signal }) => callApi(reports.list, { signal }),
    meta: { failure: 'log' },
  })

const RUNS_KEY = ['reports', 'runs'] as const

/**
 * Query options: the last reports of the customer, polled while one of them is being made and the tab is in front. A failure is shown in
 * the list's place.
 */
export const reportRunsQuery = () =>
  queryOptions({
    queryKey: RUNS_KEY,
    queryFn: ({ signal }) => callApi(reports.runs, { signal }),
    // A colleague may have made one meanwhile.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? REPORT_POLL_MS : false),
    meta: { failure: 'inline' },
  })

/** Has the list of the last reports loaded again. */
const refreshRuns = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: RUNS_KEY })

/**
 * Mutation options: fetches the file of a report that is ready, without saving it. A failure is shown beside the button, and the list of
 * reports is loaded again.
 */
export const fetchReportFileMutation = () =>
  mutationOptions({
    mutationKey: ['reports', 'download'],
    mutationFn: (path: string) => fetchFile(reports.blob, { params: { path } }),
    onError: (_error, _path, _onMutate, { client }) => refreshRuns(client),
    meta: { failure: 'inline' },
  })

/** The progress of a report. */
export type ReportStage = 'requesting' | 'queued' | 'generating' | 'downloading'

export interface ReportRequest extends ReportChoice {
  readonly id: number
  /** Stops polling; the server still generates the report. */
  readonly signal: AbortSignal
  readonly onStage: (stage: ReportStage) => void
}

/** True for a 4xx error, whose message says what to do. */
export const isClientError = (error: unknown): error is ApiError => error instanceof ApiError && error.status >= 400 && error.status < 500

/**
 * Mutation options: generates a report and fetches its file, without saving it; null when it was aborted. A failure shows the banner
 * (RPT-03), and the dialog says more.
 */
export const generateReportMutation = () =>
  mutationOptions({
    mutationKey: ['reports', 'file'],
    mutationFn: (request: ReportRequest, { client }) =>
      generateReport(request, client).catch((error: unknown) => nullIfAborted(request, error)),
    onSettled: (_file, _error, _request, _onMutate, { client }) => void refreshRuns(client),
    meta: { failure: 'banner' },
  })

/**
 * Asks the server for a report, polls until the file is ready, and fetches it. Throws when the report has failed, and when it is aborted.
 */
const generateReport = async (
  { id, parameters, timeframe, signal, onStage }: ReportRequest,
  client: QueryClient,
): Promise<DownloadedFile> => {
  onStage('requesting')
  const { reportId } = await callApi(reports.generate, { body: { id, parameters, ...(timeframe && { timeframe }) }, signal })
  void refreshRuns(client)
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

/** A rejection handler: null when the caller has aborted; any other error is rethrown. */
const nullIfAborted = ({ signal }: ReportRequest, error: unknown): null => {
  if (signal.aborted) return null
  throw error
}

/** Waits `REPORT_POLL_MS`. Rejects at once with an AbortError when the signal aborts. */
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

/** The status of a report. Asks again while the server is unreachable or answers 503, until `MAX_LOST_ANSWERS` in a row; then throws. */
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
