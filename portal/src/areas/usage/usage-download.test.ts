import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { AskFailed } from '../../api/call-api.ts'
import { storeSession } from '../../api/session.ts'
import { json, openBrowser } from '../../api/test-browser.ts'
import { DownloadCut, type DownloadProgress, downloadUsage } from './usage-download.ts'
import { PLAIN_VIEW } from './usage-view.ts'
import { downloadFailure } from './usage-texts.ts'

const FILE = 'Service Item,Site\n"two\nlines",Perth\n0491 570 010,Ørsted\n'

let browser: Awaited<ReturnType<typeof openBrowser>>
afterEach(() => browser.close())

/** A server that answers the download so, and a person who picks `picked.csv` for it; what is written there, and what became of it. */
const downloading = async (
  answer: (response: ServerResponse) => void | Promise<void>,
  isPicked: () => Promise<boolean> = async () => true,
) => {
  browser = await openBrowser((_, response) => answer(response))
  storeSession({ access_token: 'token', refresh_token: 'refresh' })
  const seen = { written: '', state: 'open', removed: 0, progress: [] as DownloadProgress[] }
  const words = new TextDecoder()
  const writable = () =>
    new WritableStream<Uint8Array>({
      write: (piece) => {
        seen.written += words.decode(piece, { stream: true })
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
  const stop = new AbortController()
  const outcome = downloadUsage({
    filter: { ...PLAIN_VIEW, service: 3, connection: 5 },
    span: { from: '2026-11-01', to: '2026-11-20' },
    likelyName: '4G Data_Usage.csv',
    isVast: true,
    onProgress: (progress) => void seen.progress.push(progress),
    signal: stop.signal,
  })
  return { outcome, seen, stop }
}

const failureOf = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => expect.unreachable('the download succeeded'),
    (failure: unknown) => failure,
  )

const sent = (response: ServerResponse, body: string, rows: string | undefined): void => {
  response.writeHead(200, { 'content-type': 'text/csv', ...(rows === undefined ? {} : { 'x-row-count': rows }) })
  response.end(body)
}

test('[USG-07] the filter is asked for as parameters, days with their first and last second and ids as text', async () => {
  const { outcome } = await downloading((response) => sent(response, FILE, '2'))
  await outcome
  expect(JSON.parse(browser.seen[0]?.body ?? '')).toEqual({
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
  const { outcome, seen } = await downloading((response) => sent(response, FILE, '2'))
  expect(await outcome).toEqual({ saved: 'picked.csv', rows: 2 })
  expect(seen).toMatchObject({ written: FILE, state: 'closed', removed: 0 })
  expect([seen.progress[0], seen.progress.at(-1)]).toEqual([
    { rows: 0, of: 2 },
    { rows: 2, of: 2 },
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
  const { outcome, seen } = await downloading((response) => sent(response, body, rows))
  expect(await failureOf(outcome)).toBeInstanceOf(DownloadCut)
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})

test('[USG-07] a line that is cut in the middle of the file is told with the rows that had come', async () => {
  const { outcome, seen } = await downloading(async (response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'x-row-count': '2000' })
    response.write(FILE)
    await vi.waitFor(() => expect(seen.written).toBe(FILE))
    response.destroy()
  })
  const failure = await failureOf(outcome)
  expect(failure).toMatchObject({ progress: { rows: 2, of: 2_000 } })
  expect(downloadFailure(failure)).toMatch(/^The download broke off after 2 of 2,000 records\. Nothing was saved\. Try again\.$/)
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})

test('[USG-07] a cancelled download ends the request and leaves no file', async () => {
  let hungUp = (): void => undefined
  const hangsUp = new Promise<void>((resolve) => {
    hungUp = resolve
  })
  const { outcome, seen, stop } = await downloading((response) => {
    response.on('close', hungUp)
    response.writeHead(200, { 'content-type': 'text/csv', 'x-row-count': '2000' })
    response.write(FILE)
  })
  await vi.waitFor(() => expect(seen.written).toBe(FILE))
  stop.abort()
  expect(await outcome).toBe('cancelled')
  await hangsUp
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})

test('[USG-07] who chooses no place has cancelled, and nothing is asked of the server', async () => {
  const { outcome } = await downloading(
    (response) => sent(response, FILE, '2'),
    async () => false,
  )
  expect(await outcome).toBe('cancelled')
  expect(browser.seen).toEqual([])
})

test('[USG-07] a refusal is told in the server’s words, and leaves no file', async () => {
  const { outcome, seen } = await downloading((response) => json(response, 429, { message: 'A download is still running.' }))
  const failure = await failureOf(outcome)
  expect([failure instanceof AskFailed, downloadFailure(failure)]).toEqual([true, 'A download is still running.'])
  expect(seen).toMatchObject({ state: 'thrown away', removed: 1 })
})
