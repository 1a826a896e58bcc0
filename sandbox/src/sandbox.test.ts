import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { createTransport } from 'nodemailer'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Ledger } from './ledger/ledger.ts'
import type { Mail } from './mail/mailbox.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

let dir: string
let sandbox: Sandbox

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-'))
  new Ledger(dir).book(CHARGE)
  sandbox = await startSandbox({ port: 0, smtpPort: 0, dir })
})

afterEach(async () => {
  await postJson('/reset', {})
})

afterAll(async () => {
  await sandbox.close()
  await rm(dir, { recursive: true })
})

const CHARGE = {
  provider: 'stripe',
  id: 'ch_1',
  reference: 'attempt-1',
  amount: 123_450,
  currency: 'AUD',
  status: 'succeeded',
  method: 'card',
} as const

const postJson = async (path: string, body: unknown): Promise<{ status: number; answer: unknown }> => {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, answer: await response.json() }
}

const fault = (overrides: object) => ({ provider: 'stripe', operation: 'charge', kind: 'decline', times: 1, ...overrides })

const fetchLedger = async (): Promise<unknown> => (await fetch(`${sandbox.url}/ledger`)).json()

const fetchMails = async (): Promise<Mail[]> => (await (await fetch(`${sandbox.url}/mail`)).json()) as Mail[]

const fetchPage = async (): Promise<string> => (await fetch(sandbox.url)).text()

const sendMail = async (message: object): Promise<void> => {
  const transport = createTransport(sandbox.smtpUrl)
  await transport.sendMail({ from: 'portal@example.com', to: 'demo@example.com', subject: 'Hello', ...message })
  transport.close()
}

test('the ledger on disk is loaded at the start, and a reset empties it', async () => {
  expect(await fetchLedger()).toEqual([{ ...CHARGE, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) }])
  const page = await fetchPage()
  expect(page).toContain('attempt-1')
  expect(page.replaceAll('\u00a0', ' ')).toContain('AUD 1,234.50')
  expect(await postJson('/reset', '')).toMatchObject({ status: 200 })
  expect(await fetchLedger()).toEqual([])
  expect(new Ledger(dir).list()).toEqual([])
})

test('a message arrives with its subject, both parts and the time of receipt', async () => {
  const before = new Date().toISOString()
  await sendMail({ subject: 'Réinitialiser €', text: 'Grüße 🙂', html: '<p>Grüße 🙂</p>' })
  const [mail] = await fetchMails()
  expect(mail).toEqual({
    to: 'demo@example.com',
    subject: 'Réinitialiser €',
    text: expect.stringMatching(/^Grüße 🙂\n?$/),
    html: expect.stringMatching(/^<p>Grüße 🙂<\/p>\n?$/),
    at: expect.any(String),
  })
  expect(mail?.at && mail.at >= before && mail.at <= new Date().toISOString()).toBe(true)
})

test('messages are listed newest first, with every recipient of the envelope and empty absent parts', async () => {
  await sendMail({ subject: 'first', text: 'only text' })
  await sendMail({ to: 'a@example.com', bcc: 'hidden@example.com', subject: 'second', html: '<b>only html</b>' })
  expect(await fetchMails()).toMatchObject([
    { subject: 'second', to: 'a@example.com, hidden@example.com', text: '' },
    { subject: 'first', to: 'demo@example.com', html: '' },
  ])
})

/** A connection to the mail server that is ready to send a message's content. */
const connectionInData = async (): Promise<Socket> => {
  const { hostname, port } = new URL(sandbox.smtpUrl)
  const connection = connect(Number(port), hostname)
  for (const command of ['HELO t', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA']) {
    await once(connection, 'data')
    connection.write(`${command}\r\n`)
  }
  const [reply] = (await once(connection, 'data')) as [Buffer]
  expect(reply.toString()).toMatch(/^354 /)
  return connection
}

test('a message over 10 MiB is rejected, with or without an announced size', async () => {
  await expect(sendMail({ text: 'x'.repeat(11 * 1024 * 1024) })).rejects.toThrow(/552/)
  const connection = await connectionInData()
  connection.write(`${`${'x'.repeat(1022)}\r\n`.repeat(11 * 1024)}.\r\n`)
  const [reply] = (await once(connection, 'data')) as [Buffer]
  expect(reply.toString()).toMatch(/^552 The message is larger than 10 MiB/)
  connection.destroy()
  expect(await fetchMails()).toEqual([])
})

test('a client that disconnects during a message leaves no mail and does not stop the sandbox', async () => {
  const connection = await connectionInData()
  connection.write('Subject: half\r\n')
  connection.resetAndDestroy()
  await sendMail({ subject: 'whole', text: 'x' })
  expect((await fetchMails()).map(({ subject }) => subject)).toEqual(['whole'])
})

test('the page escapes a message and turns its URLs into links', async () => {
  await sendMail({
    subject: '<script>alert("s")</script>',
    text: 'Open http://localhost:3000/reset-password/a&b. <img src=x onerror=alert(1)>',
  })
  const page = await fetchPage()
  expect(page).not.toMatch(/<script|<img/)
  expect(page).toContain('&lt;script&gt;alert(&quot;s&quot;)&lt;/script&gt;')
  expect(page).toContain('<a href="http://localhost:3000/reset-password/a&amp;b" target="_blank" rel="noreferrer">')
})

test('the page allows no scripts and no other origins', async () => {
  const response = await fetch(sandbox.url)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
  expect(response.headers.get('content-security-policy')).not.toContain('script-src')
})

test('an HTML message is framed from its own URL, with a policy that forbids scripts and requests', async () => {
  await sendMail({ html: '<h1>Hi</h1><script>alert(1)</script>' })
  const [, src = ''] = /<iframe\s+src="([^"]+)"/.exec(await fetchPage()) ?? []
  expect(src).toMatch(/^\/mail\/\d+\/html$/)
  const response = await fetch(sandbox.url + src)
  const policy = response.headers.get('content-security-policy')
  expect(await response.text()).toContain('<h1>Hi</h1>')
  expect(policy).toContain("default-src 'none';")
  expect(policy).toMatch(/; sandbox allow-popups allow-popups-to-escape-sandbox$/)
  await postJson('/reset', {})
  expect((await fetch(sandbox.url + src)).status).toBe(404)
})

test('a message without HTML, or an invalid number, has no HTML page', async () => {
  await sendMail({ text: 'plain' })
  expect(await fetchPage()).not.toContain('<iframe')
  expect((await fetch(`${sandbox.url}/mail/x/html`)).status).toBe(404)
})

test('a fault gets its defaults, and is listed on the page until a reset', async () => {
  expect(await postJson('/faults', fault({ kind: 'drop', times: 3, operation: 'unheard-of' }))).toEqual({
    status: 200,
    answer: { provider: 'stripe', operation: 'unheard-of', kind: 'drop', times: 3, ms: 45_000, booked: true },
  })
  expect(await fetchPage()).toContain('unheard-of')
  await postJson('/reset', {})
  expect(await fetchPage()).not.toContain('unheard-of')
})

test.each([
  ['an unknown provider', fault({ provider: 'acme' }), /^provider must be one of: stripe, /],
  ['an unknown kind', fault({ kind: 'explode' }), /^kind must be one of: decline, error, slow, /],
  ['a webhook fault for a call', fault({ kind: 'forged' }), /^kind must be one of: decline, /],
  ['a call fault for webhooks', fault({ operation: 'webhook' }), /^kind must be one of: lost, twice, early, late, shuffled, forged\.$/],
  ['no times', fault({ times: undefined }), /^times is missing\.$/],
  ['times of zero', fault({ times: 0 }), /^times must be >= 1\.$/],
  ['times as text', fault({ times: '1' }), /^times must be integer\.$/],
  ['a field that does not exist', fault({ colour: 'red' }), /^There is no field colour\.$/],
  ['no body', '', /^The body must be object\.$/],
  ['text that is not JSON', '{', /JSON/],
])('a fault with %s is rejected with a message', async (_what, body, message) => {
  expect(await postJson('/faults', body)).toEqual({ status: 400, answer: { message: expect.stringMatching(message) } })
})

test.each(['lost', 'twice', 'early', 'late', 'shuffled', 'forged'])('a webhook fault may be %s', async (kind) => {
  expect(await postJson('/faults', fault({ operation: 'webhook', kind }))).toMatchObject({ status: 200, answer: { kind, booked: false } })
})

test('an unknown payment cannot be settled', async () => {
  expect(await postJson('/settle', { provider: 'pinch', id: 'd_1', outcome: 'succeeded' })).toEqual({
    status: 404,
    answer: { message: 'No pinch payment with the id "d_1" can be settled as succeeded.' },
  })
  expect(await postJson('/settle', { provider: 'pinch', id: 'd_1', outcome: 'lost' })).toMatchObject({ status: 400 })
})

test('an unknown path, an oversized body and a body that is not JSON are answered with a message', async () => {
  const missing = await fetch(`${sandbox.url}/nothing`)
  expect([missing.status, await missing.json()]).toEqual([404, { message: 'There is nothing at GET /nothing.' }])
  expect(await postJson('/faults', fault({ operation: 'x'.repeat(1024 * 1024) }))).toMatchObject({
    status: 413,
    answer: { message: expect.any(String) },
  })
  const text = await fetch(`${sandbox.url}/faults`, { method: 'POST', body: 'x' })
  expect([text.status, await text.json()]).toEqual([415, { message: expect.any(String) }])
  const broken = await fetch(`${sandbox.url}/%zz`)
  expect([broken.status, Object.keys((await broken.json()) as object)]).toEqual([400, ['message']])
})

test('a port in use stops the start with a sentence and leaves nothing listening', async () => {
  const { port, hostname } = new URL(sandbox.url)
  const takenPort = Number(port)
  await expect(startSandbox({ port: takenPort, smtpPort: 0, dir })).rejects.toThrow(
    `Port ${takenPort} on ${hostname} is already taken. Stop the program that holds it, or set SANDBOX_PORT to a free port.`,
  )
  await expect(startSandbox({ port: 0, smtpPort: takenPort, dir })).rejects.toThrow(/set SANDBOX_SMTP_PORT to a free port/)
  const second = await startSandbox({ port: 0, smtpPort: 0, dir })
  const ports = [second.url, second.smtpUrl].map((url) => Number(new URL(url).port))
  await second.close()
  const restarted = await startSandbox({ port: ports[0] ?? 0, smtpPort: ports[1] ?? 0, dir }) // nothing listens there any more
  expect([restarted.url, restarted.smtpUrl]).toEqual([second.url, second.smtpUrl])
  await restarted.close()
})

test('close ends at once although a client keeps its connection open, and may be called twice', async () => {
  const second = await startSandbox({ port: 0, smtpPort: 0, dir })
  const pool = createTransport({ url: second.smtpUrl, pool: true })
  await pool.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'x' })
  const startedAt = performance.now()
  await Promise.all([second.close(), second.close()])
  expect(performance.now() - startedAt).toBeLessThan(2000)
  await expect(fetch(second.url)).rejects.toThrow()
  pool.close()
})
