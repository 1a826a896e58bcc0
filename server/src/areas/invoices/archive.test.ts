import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { DOCUMENT_COUNT_HEADER, MAX_CHOSEN_INVOICES, MAX_JOINED_INVOICES, MAX_ZIPPED_INVOICES } from '@counterfoil/contract/invoices'
import type { FastifyInstance } from 'fastify'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, clientFor, problemBody, signInAs, type TestSession } from '../../../test/support/http-client.ts'
import { addCustomer, addInvoice, addPerson, addTenant, insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { sampleInvoice } from '../../documents/pdf/invoice/sample-invoice.ts'
import { archiveNames } from './archive.rules.ts'

vi.setConfig({ testTimeout: 120_000 })
/** A busy machine is no fault. */
const WAIT = { timeout: 60_000 }

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let customerId: number
let session: TestSession

beforeAll(async () => {
  context = await testContext() // noon of 20 November 2026
  app = await context.app()
  tenant = await addTenant(context, { reseller: { invoice_label_plural: 'Rechnungen' } })
})
beforeEach(async () => {
  const { resellerId, brandId } = tenant
  customerId = await addCustomer(context, resellerId, brandId, {})
  session = await signInAs(app, await addPerson(context, resellerId, brandId, [customerId]))
})
afterAll(() => context.close())

const get = (query: string): Promise<Answer> => clientFor(app, session, customerId).get(`/v1/ec/invoices/archive?${query}`)
const addOwnInvoice = (row: Parameters<typeof addInvoice>[3]): Promise<number> => addInvoice(context, tenant.resellerId, customerId, row)

const onePagePdf = async (text: string): Promise<Buffer> => {
  const pdf = await PDFDocument.create()
  pdf.addPage().drawText(text)
  return Buffer.from(await pdf.save())
}
const attachFile = (invoice_id: number, bytes: Buffer) =>
  insertRow(context, tenant.resellerId, 'invoice_file', { customer_id: customerId, invoice_id, bytes })

/** The text of each page. */
const readPages = async (bytes: Uint8Array): Promise<string[]> => {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, at) => pdf.getPage(at + 1)))
  const contents = await Promise.all(pages.map((page) => page.getTextContent()))
  return contents.map(({ items }) => items.map((item) => ('str' in item ? item.str : '')).join(' '))
}

/** The files of a ZIP by the headers in front of them; the sizes stand there because the files are stored as they are. */
const unzip = (zip: Buffer): Record<string, Buffer> => {
  const files: Record<string, Buffer> = {}
  let at = 0
  while (zip.readUInt32LE(at) === 0x04034b50) {
    const [size, nameLength, extraLength] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)]
    const start = at + 30 + nameLength + extraLength
    files[zip.toString('utf8', at + 30, at + 30 + nameLength)] = zip.subarray(start, start + size)
    at = start + size
  }
  return files
}

/** Saves bytes to a file that goes with the test. */
const saveToFile = (name: string, bytes: Uint8Array): string => {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
const isMissing = (tool: string): boolean => spawnSync(tool, ['--version']).error !== undefined
const note = (tool: string): string => (isMissing(tool) ? ` (without ${tool}, which is not on the PATH)` : '')

test(`[EASE-05] the ZIP of a year has the engine's files as they are and ours rendered, oldest first, and opens${note('unzip')}`, async () => {
  await addOwnInvoice({ number: 'N-3', issued_on: '2026-12-31' })
  const filed = await addOwnInvoice({ number: 'N-1', issued_on: '2026-01-01' })
  await addOwnInvoice({ number: 'N-2', issued_on: '2026-06-01' })
  for (const issued_on of ['2025-12-31', '2027-01-01']) await addOwnInvoice({ issued_on })
  const bytes = Buffer.from('%PDF-1.7 broken \0\xff', 'latin1')
  await attachFile(filed, bytes)

  const answer = await get('year=2026')
  expect([answer.statusCode, answer.headers['content-type'], answer.headers[DOCUMENT_COUNT_HEADER.toLowerCase()]]).toEqual([
    200,
    'application/zip',
    '3',
  ])
  expect(answer.headers['content-disposition']).toContain('filename="Rechnungen_2026.zip"')
  const files = unzip(answer.rawPayload)
  expect(Object.keys(files)).toEqual(['N-1.pdf', 'N-2.pdf', 'N-3.pdf'])
  expect(files['N-1.pdf']).toEqual(bytes)
  expect((await readPages(files['N-3.pdf'] ?? Buffer.of())).join()).toContain('N-3')
  if (isMissing('unzip')) return
  expect(execFileSync('unzip', ['-t', saveToFile('a.zip', answer.rawPayload)], { encoding: 'utf8' })).toContain('No errors detected')
})

test(`[EASE-05] one PDF has all chosen invoices in the order of their days, and qpdf finds no fault${note('qpdf')}`, async () => {
  const drawn = await addOwnInvoice({ number: 'J-2', issued_on: '2026-02-01' })
  const filed = await addOwnInvoice({ number: 'J-1', issued_on: '2026-01-01' })
  await addOwnInvoice({ number: 'J-3' })
  await attachFile(filed, await onePagePdf('made by the engine'))

  const answer = await get(`ids=${drawn},${filed}&format=pdf`)
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['x-document-count']]).toEqual([200, 'application/pdf', '2'])
  expect(answer.headers['content-disposition']).toContain('filename="Rechnungen.pdf"')
  expect(await readPages(answer.rawPayload)).toEqual([expect.stringContaining('made by the engine'), expect.stringContaining('J-2')])
  if (isMissing('qpdf')) return
  expect(execFileSync('qpdf', ['--check', saveToFile('a.pdf', answer.rawPayload)], { encoding: 'utf8' })).toContain(
    'No syntax or stream encoding errors',
  )
})

test.skipIf(isMissing('pdffonts'))('[EASE-05] the parts of fonts in one PDF of several invoices have a name each', async () => {
  const ids = [await addOwnInvoice({ number: 'F-1' }), await addOwnInvoice({ number: 'F-Ł2' })]
  const { rawPayload } = await get(`ids=${ids.join()}&format=pdf`)
  const fonts = execFileSync('pdffonts', [saveToFile('a.pdf', rawPayload)], { encoding: 'utf8' })
  const names = fonts.match(/^[A-Z]{6}\+\S+/gm) ?? []
  expect([names.length, new Set(names).size]).toEqual([4, 4])
})

test.each([
  ['no PDF at all', Buffer.from('<html>')],
  ['cut off', Buffer.from('%PDF-1.7\n1 0 obj <<')],
])('[EASE-05] one PDF says whose file cannot be joined when it is %s', async (_, bytes) => {
  const broken = await addOwnInvoice({ number: 'B/7' })
  const whole = await addOwnInvoice({ number: 'B/8' })
  await attachFile(broken, bytes)
  await attachFile(whole, await onePagePdf('whole'))
  const answer = await get(`ids=${broken},${whole}&format=pdf`)
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    problemBody('document_unreadable', 'The file of B/7 is no PDF that can be joined. Download a ZIP instead.'),
  ])
})

test('[EASE-05] names in a ZIP are those of the numbers, without what a system forbids, and each stands once', () => {
  expect(archiveNames(['A-1', 'A-1', 'a-1', 'A-1 (2)', 'R/2026\\11', 'Köln 7', 'فاتورة', '../../etc', '', '/', 'x'.repeat(300)])).toEqual([
    'A-1.pdf',
    'A-1 (2).pdf',
    'a-1 (3).pdf',
    'A-1 (2) (2).pdf',
    'R_2026_11.pdf',
    'Köln 7.pdf',
    'فاتورة.pdf',
    '_.._etc.pdf',
    '_.pdf',
    '_ (2).pdf',
    `${'x'.repeat(200)}.pdf`,
  ])
})

test('[EASE-05][INV-01] a file has the same name in its ZIP as alone, with the letters of its number', async () => {
  const id = await addOwnInvoice({ number: 'Rechnung (Köln) 東京/7' })
  const alone = await clientFor(app, session, customerId).get(`/v1/ec/invoices/${id}`)
  const encoded = /filename\*=UTF-8''([\w.%-]+)$/.exec(String(alone.headers['content-disposition']))?.[1] ?? ''
  const name = decodeURIComponent(encoded)
  expect(name).toBe('Rechnung (Köln) 東京_7.pdf')
  expect(Object.keys(unzip((await get(`ids=${id}`)).rawPayload))).toEqual([name])
})

test('[EASE-05] the archive asks for a year or for ids, and says what is wrong', async () => {
  const many = Array.from({ length: MAX_CHOSEN_INVOICES + 1 }, (_, at) => at + 1).join(',')
  for (const query of ['', 'year=2026&ids=1', 'year=26', 'ids=1,,2', 'ids=x', 'year=2026&format=rar', `ids=${many}`, 'year=2026&other=1'])
    expect([query.slice(0, 30), (await get(query)).statusCode]).toEqual([query.slice(0, 30), 400])
  const empty = await get('year=2019')
  expect([empty.statusCode, empty.json().message]).toEqual([404, 'There are no invoices of 2019.'])
})

test("[EASE-05] an id that is another customer's, or nobody's, is not found and gives nothing away", async () => {
  const own = await addOwnInvoice({})
  const foreign = await addInvoice(context, tenant.resellerId, await addCustomer(context, tenant.resellerId, tenant.brandId, {}), {})
  for (const ids of [foreign, `${own},${foreign}`, '987654321', '9999999999999999']) {
    const answer = await get(`ids=${ids}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, problemBody('not_found', 'There is nothing at this address.')])
  }
  expect((await get(`ids=${own},${own}`)).headers['x-document-count']).toBe('1')
})

/** Adds invoices of one day. */
const addMany = (count: number, day: string) =>
  queryAsAdministrator(
    context,
    `insert into invoice (customer_id, number, currency, amount_minor, amount_due_minor, net_minor, issued_on, due_on, generated_at, status)
     select $1, 'M-' || n, 'USD', 100, 100, 100, $3, $3, now(), 1 from generate_series(1, $2::int) n`,
    [customerId, count, day],
  )

test('[EASE-05] a thousand invoices come in one ZIP; one more, or too many for one PDF, is refused in words', async () => {
  await addMany(MAX_ZIPPED_INVOICES, '2024-03-01')
  await queryAsAdministrator(
    context,
    `insert into invoice_file (customer_id, invoice_id, bytes) select customer_id, id, $2 from invoice where customer_id = $1`,
    [customerId, await onePagePdf('many')],
  )
  const answer = await get('year=2024')
  expect([answer.statusCode, answer.headers['x-document-count']]).toEqual([200, String(MAX_ZIPPED_INVOICES)])
  expect(Object.keys(unzip(answer.rawPayload))).toHaveLength(MAX_ZIPPED_INVOICES)
  const joined = await get('year=2024&format=pdf')
  expect([joined.statusCode, joined.json().message]).toEqual([
    400,
    `One PDF holds at most ${MAX_JOINED_INVOICES} invoices. Download a ZIP, or choose fewer.`,
  ])
  await addOwnInvoice({ issued_on: '2024-04-01' })
  const more = await get('year=2024')
  expect([more.statusCode, more.json().code]).toEqual([400, 'too_many_records'])
})

test('[EASE-05] the archive is not found where the brand does not show invoices', async () => {
  const closed = await addTenant(context, { brand: { end_show_invoices: false } })
  const answer = await clientFor(app, await signInAs(app, closed.person), closed.customerId).get('/v1/ec/invoices/archive?year=2026')
  expect(answer.statusCode).toBe(404)
})

test('[EASE-05] an archive whose client goes away stops, whatever its format, and frees its place', async () => {
  const count = 200
  await addMany(count, '2023-05-01')
  const single = await addOwnInvoice({ issued_on: '2022-01-01' })
  const { port } = new URL(await (await context.app()).listen({ port: 0, host: '127.0.0.1' }))
  const headers = { authorization: `Bearer ${session.accessToken}`, 'x-customer-id': String(customerId), host: 'localhost' }
  const open = (query: string): ClientRequest =>
    request({ port, host: '127.0.0.1', path: `/v1/ec/invoices/archive?${query}`, headers, agent: false }).end()
  const rendered = vi.spyOn(context.renderer, 'archivedInvoice')
  onTestFinished(() => rendered.mockRestore())
  for (const format of ['zip', 'pdf', 'zip', 'pdf']) {
    rendered.mockClear()
    const download = open(`year=2023&format=${format}`)
    const isClosed = new Promise((resolve) => download.on('error', () => undefined).on('close', resolve))
    await vi.waitFor(() => expect(rendered.mock.calls.length).toBeGreaterThan(2), WAIT)
    download.destroy()
    await isClosed
    // One that goes on has its next document within moments.
    await vi.waitFor(async () => {
      const before = rendered.mock.calls.length
      await Promise.all(rendered.mock.results.map(({ value }) => value))
      await context.renderer.invoice(sampleInvoice())
      expect(rendered.mock.calls.length).toBe(before)
    }, WAIT)
    expect(rendered.mock.calls.length).toBeLessThan(count)
  }
  const [answer] = (await once(open(`ids=${single}`), 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  expect([answer.statusCode, answer.complete]).toEqual([200, true])
})

test('[EASE-05] a third archive of a customer waits for its turn, and an invoice that somebody opens meanwhile goes first', async () => {
  for (let at = 0; at < 20; at += 1) await addOwnInvoice({ number: `L-${at}`, issued_on: '2022-05-01' })
  const single = await addOwnInvoice({ number: 'S-1' })
  const finished: string[] = []
  const track = async (name: string, answer: Promise<Answer>): Promise<number> => {
    const { statusCode } = await answer
    finished.push(name)
    return statusCode
  }
  const render = context.renderer.archivedInvoice
  const { promise: refused, resolve: goOn } = Promise.withResolvers<void>()
  const started = vi.spyOn(context.renderer, 'archivedInvoice').mockImplementation(async (document) => {
    await refused
    return render(document)
  })
  onTestFinished(() => {
    started.mockRestore()
    goOn()
  })
  const archives = [track('archive', get('year=2022')), track('archive', get('year=2022'))]
  // Each renders one at a time, so two calls are both of them.
  await vi.waitFor(() => expect(started.mock.calls.length).toBe(2), WAIT)
  const third = await get('year=2022')
  goOn()
  expect([third.statusCode, third.json().code]).toEqual([429, 'download_running'])
  const opened = track('single', clientFor(app, session, customerId).get(`/v1/ec/invoices/${single}`))
  expect(await Promise.all([...archives, opened])).toEqual([200, 200, 200])
  expect(finished[0]).toBe('single')
})

test('[EASE-05] one PDF keeps its place until its client has read it', async () => {
  const ids = `ids=${await addOwnInvoice({})},${await addOwnInvoice({})}&format=pdf`
  const joined = vi.spyOn(context.renderer, 'join').mockResolvedValue({ pdf: new Uint8Array(16 * 1024 * 1024) })
  onTestFinished(() => joined.mockRestore())
  const listening = await context.app()
  const { port } = new URL(await listening.listen({ port: 0, host: '127.0.0.1' }))
  onTestFinished(() => listening.server.closeAllConnections())
  const headers = { authorization: `Bearer ${session.accessToken}`, 'x-customer-id': String(customerId), host: 'localhost' }
  const open = async (): Promise<IncomingMessage> => {
    const [answer] = await once(
      request({ port, host: '127.0.0.1', path: `/v1/ec/invoices/archive?${ids}`, headers, agent: false }).end(),
      'response',
    )
    return answer as IncomingMessage
  }
  const [first] = [await open(), await open()]
  expect((await open()).statusCode).toBe(429)
  first?.resume()
  await once(first as IncomingMessage, 'end')
  await vi.waitFor(async () => expect((await open()).statusCode).toBe(200), WAIT)
})
