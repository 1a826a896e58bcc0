import type { ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/call-api.ts'
import { storeSession } from '../../../api/session.ts'
import { respondWithJson, startTestBrowser } from '../../../api/test-browser.ts'
import { downloadArchive, IncompleteArchiveError, type ArchiveProgress } from './archive-download.ts'
import { archiveErrorText, limitText, progressText } from './archive-texts.ts'
import { createZipEntryCounter } from './zip-entry-counter.ts'

const NOUNS = { singular: 'invoice', plural: 'invoices' }

let browser: Awaited<ReturnType<typeof startTestBrowser>>
afterEach(() => browser?.close())

/** A ZIP of files that are stored as they are, as the server writes it. */
const zipOf = (files: Readonly<Record<string, Buffer>>): Buffer => {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  for (const [name, bytes] of Object.entries(files)) {
    const facts = Buffer.alloc(26)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    locals.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), bytes)
    central.push(Buffer.from('PK\x01\x02\0\0'), facts, Buffer.alloc(14), Buffer.from(name))
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(Object.keys(files).length, 10)
  return Buffer.concat([...locals, ...central, end])
}

// The second file looks like the beginnings of others.
const ZIP = zipOf({
  'N-1.pdf': Buffer.from('%PDF-1'),
  'Köln.pdf': Buffer.from('PK\x03\x04PK\x05\x06PK\x03\x04'),
  'empty.pdf': Buffer.alloc(0),
})

const PDF = Buffer.from('%PDF-1.7\nstartxref\n9\n%%EOF\n')

const countIn = (zip: Buffer, size: number) => {
  const counter = createZipEntryCounter()
  for (let at = 0; at < zip.length; at += size) counter.add(zip.subarray(at, at + size))
  return [counter.entries(), counter.isComplete()]
}

test('[EASE-05] the files of a ZIP are counted in chunks of any size, whatever their bytes look like', () => {
  for (const size of [1, 2, 7, 29, 31, 64, ZIP.length]) expect([size, countIn(ZIP, size)]).toEqual([size, [3, true]])
})

test('[EASE-05] a ZIP that is cut anywhere, or goes on behind its end, is not complete', () => {
  for (let length = 0; length < ZIP.length; length += 1) expect([length, countIn(ZIP.subarray(0, length), 16)[1]]).toEqual([length, false])
  expect(countIn(Buffer.concat([ZIP, Buffer.from('x')]), 16)[1]).toBe(false)
  expect(countIn(Buffer.from('<html>a proxy says no</html>'), 16)).toEqual([0, false])
})

/** Starts a download from a server that answers with `answer`; `saved` has what the browser was told to save. */
const startTestDownload = async (answer: (response: ServerResponse) => void, format: 'zip' | 'pdf' = 'zip') => {
  browser = await startTestBrowser((_, response) => answer(response))
  storeSession({ access_token: 'token', refresh_token: 'refresh' })
  const saved: { name: string; size: number }[] = []
  let blob = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((object) => {
    blob = object as Blob
    return 'blob:test'
  })
  const link = { href: '', download: '', click: () => void saved.push({ name: link.download, size: blob.size }) }
  vi.stubGlobal('document', { createElement: () => link })
  const progress: ArchiveProgress[] = []
  const controller = new AbortController()
  const result = downloadArchive({
    query: { format, year: 2026 },
    fallbackName: `Invoices_2026.${format}`,
    onProgress: (step) => void progress.push(step),
    signal: controller.signal,
  })
  return { result, saved, progress, controller }
}

const send = (response: ServerResponse, body: Buffer, headers: Record<string, string>): void => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', ...headers })
  response.end(body)
}

test('[EASE-05] a whole ZIP is saved under its name, and its documents are counted while they come', async () => {
  const { result, saved, progress } = await startTestDownload((response) =>
    send(response, ZIP, { 'x-document-count': '3', 'content-disposition': `attachment; filename="Rechnungen_2026.zip"` }),
  )
  expect(await result).toEqual({ fileName: 'Rechnungen_2026.zip', documents: 3, bytes: ZIP.length })
  expect(saved).toEqual([{ name: 'Rechnungen_2026.zip', size: ZIP.length }])
  expect(browser.requests[0]?.path).toBe('/v1/ec/invoices/archive?format=zip&year=2026')
  expect([progress[0], progress.at(-1)]).toEqual([
    { unit: 'documents', value: 0, total: 3 },
    { unit: 'documents', value: 3, total: 3 },
  ])
})

test.each([
  ['a document less than announced', ZIP, { 'x-document-count': '4' }],
  ['no announced number', ZIP, {}],
  ['no end', ZIP.subarray(0, -22), { 'x-document-count': '3' }],
])('[EASE-05] a ZIP with %s is not saved', async (_, body, headers) => {
  const { result, saved } = await startTestDownload((response) => send(response, body, headers as Record<string, string>))
  await expect(result).rejects.toThrow(IncompleteArchiveError)
  expect(saved).toEqual([])
})

test('[EASE-05] a connection that breaks is told in words and saves nothing', async () => {
  const { result, saved } = await startTestDownload((response) => {
    response.writeHead(200, { 'x-document-count': '3' })
    response.write(ZIP.subarray(0, 40), () => response.destroy())
  })
  const failure = await result.catch((error: unknown) => error)
  expect([failure instanceof IncompleteArchiveError, archiveErrorText(failure), saved]).toEqual([
    true,
    'The download broke off. Nothing was saved. Try again.',
    [],
  ])
})

test('[EASE-05] one PDF shows its bytes, and the server’s words when an invoice cannot be joined', async () => {
  const { result, progress } = await startTestDownload(
    (response) => send(response, PDF, { 'x-document-count': '2', 'content-length': String(PDF.length) }),
    'pdf',
  )
  expect(await result).toMatchObject({ documents: 2, bytes: PDF.length })
  expect(progress.at(-1)).toEqual({ unit: 'bytes', value: PDF.length, total: PDF.length })
  await browser.close()
  const refused = await startTestDownload((response) => respondWithJson(response, 409, { message: 'The file of B/7 is no PDF.' }), 'pdf')
  const failure = await refused.result.catch((error: unknown) => error)
  expect([failure instanceof ApiError, archiveErrorText(failure)]).toEqual([true, 'The file of B/7 is no PDF.'])
})

test('[EASE-05] one PDF without its end is not saved, even where a proxy took its length out', async () => {
  const { result, saved } = await startTestDownload((response) => send(response, PDF.subarray(0, -3), { 'x-document-count': '2' }), 'pdf')
  await expect(result).rejects.toThrow(IncompleteArchiveError)
  expect(saved).toEqual([])
})

test('[EASE-05] a cancelled download ends the request and saves nothing', async () => {
  let close = (): void => undefined
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const { result, saved, progress, controller } = await startTestDownload((response) => {
    response.on('close', close)
    response.writeHead(200, { 'x-document-count': '3' })
    response.write(ZIP.subarray(0, 40))
  })
  await vi.waitFor(() => expect(progress.length).toBeGreaterThan(1))
  controller.abort()
  expect(await result).toBe('cancelled')
  await closed
  expect(saved).toEqual([])
})

test('[EASE-05] what does not fit into one file is told before it is asked for', () => {
  vi.stubGlobal('navigator', { languages: ['en-AU'] })
  expect([limitText('zip', 500, false, NOUNS), limitText('zip', 1_000, true, NOUNS), limitText('pdf', 250, false, NOUNS)]).toEqual([
    '',
    '',
    '',
  ])
  expect(limitText('zip', 501, false, NOUNS)).toBe('At most 500 invoices of several years come in one file. Filter the list by year.')
  expect(limitText('zip', 1_001, true, NOUNS)).toBe('One ZIP holds at most 1,000 invoices. Filter the list by year.')
  expect(limitText('pdf', 251, true, NOUNS)).toBe('One PDF holds at most 250 invoices. Download a ZIP, or filter the list.')
  expect(progressText({ unit: 'documents', value: 3, total: 12 }, NOUNS)).toBe('3 of 12 invoices')
})
