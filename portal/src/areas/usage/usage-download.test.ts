import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../api/call-api.ts'
import { storeSession } from '../../api/session.ts'
import { respondWithJson, startTestBrowser } from '../../api/test-browser.ts'
import { IncompleteDownloadError } from './incomplete-download-error.ts'
import type { DownloadProgress } from './incomplete-download-error.ts'
import { downloadUsage } from './usage-download.ts'
import { downloadErrorText } from './usage-texts.ts'

const FILE = 'Service Item,Site\n"two\nlines",Perth\n0491 570 010,Ørsted\n'

let browser: Awaited<ReturnType<typeof startTestBrowser>>
afterEach(() => browser.close())

/** Starts a download from a server that answers with `answer`, for a person who picks `picked.csv`. */
const startTestDownload = async (
  answer: (response: ServerResponse) => void | Promise<void>,
  isPicked: () => Promise<boolean> = async () => true,
) => {
  browser = await startTestBrowser((_, response) => answer(response))
  storeSession({ access_token: 'token', refresh_token: 'refresh' })
  const seen = { written: '', state: 'open', removed: 0, progress: [] as DownloadProgress[] }
  const decoder = new TextDecoder()
  const writable = () =>
    new WritableStream<Uint8Array>({
      write: (piece) => {
        seen.written += decoder.decode(piece, { stream: true })
      },
      close: () => {
        seen.state = 'closed'
      },
      abort: () => {
        seen.state = 'thrown away'
      },
    })
  vi.stubGlobal('showSaveFilePicker', async ({ suggestedName }: { suggestedName: string }) => {
    if (!(await isPicked())) throw new DOMException('The user aborted a request.', 'AbortError')
    expect(suggestedName).toBe('4G Data_Usage.csv')
    return { name: 'picked.csv', createWritable: async () => writable(), remove: async () => void (seen.removed += 1) }
  })
  const controller = new AbortController()
  const result = downloadUsage({
    filter: { dateFrom: '2026-11-01', dateTo: '2026-11-20', agreement: 0, service: 3, serviceItem: 5, recordType: 0, costCentre: '' },
    suggestedName: '4G Data_Usage.csv',
    isLarge: true,
    onProgress: (progress) => void seen.progress.push(progress),
    signal: controller.signal,
  })
  return { result, seen, controller }
}

const failureOf = (result: Promise<unknown>): Promise<unknown> =>
  result.then(
    () => expect.unreachable('the download succeeded'),
    (failure: unknown) => failure,
  )

const sendCsv = (response: ServerResponse, body: string, rows: string | undefined): void => {
  response.writeHead(200, { 'content-type': 'text/csv', ...(rows === undefined ? {} : { 'x-row-count': rows }) })
  response.end(body)
}

test('[USG-07] the filter is asked for as parameters, days with their first and last second and ids as text', async () => {
  const { result } = await startTestDownload((response) => sendCsv(response, FILE, '2'))
  await result
  expect(JSON.parse(browser.requests[0]?.body ?? '')).toEqual({
    parameters: [
      { name: 'startDate', value: '2026-11-01 00:00:00' },
      { name: 'endDate', value: '2026-11-20 23:59:59' },
      { name: 'agreementId', value: '0' },
      { name: 'serviceId', value: '3' },
      { name: 'recordTypeId', value: '0' },
      { name: 'serviceItemId', value: '5' },
    ],
  })
})

test('[USG-07] a whole file is written as it came, and then closed', async () => {
  const { result, seen } = await startTestDownload((response) => sendCsv(response, FILE, '2'))
  expect(await result).toEqual({ fileName: 'picked.csv', rows: 2, bytes: Buffer.byteLength(FILE) })
  expect(seen).toMatchObject({ written: FILE, state: 'closed', removed: 0 })
  expect([seen.progress[0], seen.progress.at(-1)]).toEqual([
    { rows: 0, total: 2 },
    { rows: 2, total: 2 },
  ])
})

test.each([
  ['a row too few', FILE, '3'],
  ['a row too many', FILE, '1'],
  ['half of its last row', FILE.slice(0, -4), '2'],
  ['all but its last line end', FILE.slice(0, -1), '2'],
  ['no count of its rows', FILE, undefined],
  ['nothing in it', '', '0'],
])('[USG-07] a file with %s is thrown away', async (_, body, rows) => {
  const { result, seen } = await startTestDownload((response) => sendCsv(response, body, rows))
  expect(await failureOf(result)).toBeInstanceOf(IncompleteDownloadError)
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})

test('[USG-07] a connection that breaks in the middle of the file is reported with the number of received rows', async () => {
  const { result, seen } = await startTestDownload(async (response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'x-row-count': '2000' })
    response.write(FILE)
    await vi.waitFor(() => expect(seen.written).toBe(FILE))
    response.destroy()
  })
  const failure = await failureOf(result)
  expect(failure).toMatchObject({ progress: { rows: 2, total: 2_000 } })
  expect(downloadErrorText(failure)).toMatch(/^The download stopped after 2 of 2,000 records\. Nothing was saved\. Try again\.$/)
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})

test('[USG-07] a cancelled download ends the request and leaves no file', async () => {
  let resolveClosed = (): void => undefined
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve
  })
  const { result, seen, controller } = await startTestDownload((response) => {
    response.on('close', resolveClosed)
    response.writeHead(200, { 'content-type': 'text/csv', 'x-row-count': '2000' })
    response.write(FILE)
  })
  await vi.waitFor(() => expect(seen.written).toBe(FILE))
  controller.abort()
  expect(await result).toBe('cancelled')
  await closed
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})

test('[USG-07] who chooses no place has cancelled, and nothing is asked of the server', async () => {
  const { result } = await startTestDownload(
    (response) => sendCsv(response, FILE, '2'),
    async () => false,
  )
  expect(await result).toBe('cancelled')
  expect(browser.requests).toEqual([])
})

test('[USG-07] an error shows the server’s message and leaves no file', async () => {
  const { result, seen } = await startTestDownload((response) =>
    respondWithJson(response, 429, { message: 'A download is still running.' }),
  )
  const failure = await failureOf(result)
  expect([failure instanceof ApiError, downloadErrorText(failure)]).toEqual([true, 'A download is still running.'])
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})
