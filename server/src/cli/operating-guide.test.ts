import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import { PORTAL } from '../../test/support/http-client.ts'
import { freePort } from '../../test/databases/free-port.ts'
import { postgresBinaries } from '../../test/databases/postgres-binaries.ts'
import { type PostgresServer, startPostgres } from '../../test/databases/postgres-server.ts'
import { type TestSandbox, testSandbox } from '../../test/payments/sandbox.ts'
import { type TestMailbox, startTestMailbox } from '../../test/support/mailbox.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAM = join(ROOT, 'server/bin/counterfoil.js')
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
const hasPostgres = inject('testDatabase').kind === 'postgres' && postgresBinaries() !== null

/** The commands of the document, in order. */
const documentedCommands = (): string[] => {
  const [, part = ''] = /<!-- walk -->([\s\S]*?)<!-- \/walk -->/.exec(DOCUMENT) ?? []
  const fences = [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines)
  return fences.flatMap((lines) => lines.split('\n')).filter((line) => line.trim() !== '')
}

let server: PostgresServer
let mailbox: TestMailbox
let sandbox: TestSandbox
let home: string
let port: number

beforeAll(async () => {
  if (!hasPostgres) return
  server = await startPostgres()
  mailbox = await startTestMailbox()
  sandbox = await testSandbox()
  home = mkdtempSync(join(tmpdir(), 'counterfoil-walk-'))
  port = await freePort()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z" fill="#0b5fa5"/></svg>'
  writeFileSync(join(home, 'logo.svg'), svg)
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  writeFileSync(join(home, 'banner.png'), Buffer.from(png, 'base64'))
})
afterAll(async () => {
  await mailbox?.close()
  await sandbox?.close()
  await server?.stop()
  if (home !== undefined) rmSync(home, { recursive: true, force: true })
})

/** The command with paths and addresses of this machine. Each replaced text must occur in the document. */
const toLocalCommand = (command: string): string => {
  const replacements: [string, string][] = [
    ['sudo -u postgres psql', `psql '${server.adminUrl}'`],
    ['@localhost:5432/', `@127.0.0.1:${new URL(server.adminUrl).port}/`],
    ['/var/lib/counterfoil', join(home, 'data')],
    ['PORT=8080', `PORT=${port}`],
    ['smtp://mail.example.com:25', mailbox.url],
    ['docs/samples/', join(ROOT, 'docs/samples/')],
    ['https://api.stripe.com', `${sandbox.url}/stripe`],
    ['npx counterfoil', `node ${PROGRAM}`], // npx takes a second each time, and is not what is tested
  ]
  for (const [documented] of replacements) expect(documentedCommands().join('\n')).toContain(documented)
  return replacements.reduce((line, [documented, local]) => line.replaceAll(documented, local), command)
}

const environment = (): Record<string, string> => ({
  PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  LOG_LEVEL: 'info',
  STOP_DELAY_MS: '0',
})

/** The last `export` line. It counts until `init` has written the settings file. */
let exported = ''

const runDocumentedCommand = async (command: string): Promise<string> => {
  if (command.startsWith('export ')) exported = `${toLocalCommand(command)}\n`
  const child = spawn('bash', ['-ec', `${exported}${toLocalCommand(command)}`], {
    cwd: home,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, err, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  expect([command, exit, output, err]).toEqual([command, 0, output, err])
  return output
}

/** Sends a request with the brand's domain as host. */
const sendRequest = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; json: unknown }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { host: 'billing.example.com', ...headers } },
      async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
        resolve({ status: answer.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown })
      },
    )
    sent.on('error', reject).end(body)
  })

const whileServing = async (command: string, work: () => Promise<void>): Promise<void> => {
  // npx does not forward signals (docs/operating.md, Stopping); exec lets the test stop the program itself.
  const line = `${toLocalCommand(command)}`.replace(`node ${PROGRAM}`, `exec node ${PROGRAM}`)
  const child: ChildProcess = spawn('bash', ['-ec', line], { cwd: home, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await new Promise<void>((resolve, reject) => {
      let output = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('"ready"')) resolve()
      })
      child.once('exit', () => reject(new Error(`the server did not start: ${output}`)))
    })
    await work()
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : null
    child.kill('SIGTERM')
    await ended
  }
}

/** Commands that have run before any test can run. */
const SETUP_COMMANDS = ['npm ci', 'npm run build']

/** Signs in and returns the headers of the customer's requests. */
const signIn = async (username: string, password: string): Promise<Record<string, string>> => {
  const form = new URLSearchParams({ grant_type: 'password', username, password, ...PORTAL }).toString()
  const token = await sendRequest('POST', '/token', { 'content-type': 'application/x-www-form-urlencoded' }, form)
  expect(token.status).toBe(200)
  const { access_token: bearer } = token.json as { access_token: string }
  const authorization = { authorization: `Bearer ${bearer}` }
  const me = await sendRequest('GET', '/v1/ec/me', authorization)
  expect(me.json).toMatchObject({ customers: [{ customerId: expect.any(Number) as number, label: 'Harbour Lights', selected: true }] })
  const { customers } = me.json as { customers: { customerId: number }[] }
  return { ...authorization, [CUSTOMER_HEADER]: String(customers[0]?.customerId), 'content-type': 'application/json' }
}

/** Reads the invoice and its usage, and pays it with a card that the provider's script has made a token of. */
const payInvoice = async (headers: Record<string, string>, number: string, pageKey: string): Promise<void> => {
  const listed = (await sendRequest('GET', '/v1/ec/invoices', headers)).json as { id: number; number: string; canPay: boolean }[]
  const invoice = listed.find((one) => one.number === number)
  expect(invoice).toMatchObject({ amount: 110, amountDue: 110, canPay: true })
  const usage = await sendRequest('GET', '/v1/ec/usage?dateFrom=2026-10-01&dateTo=2026-10-31', headers)
  expect(usage, JSON.stringify(usage.json)).toMatchObject({ status: 200 })
  expect(JSON.stringify(usage.json)).toContain('0491 570 157')
  const card = { 'card[number]': '4242424242424242', 'card[exp_month]': '12', 'card[exp_year]': '2031', 'card[cvc]': '123' }
  const token = await sandbox.stripe('/v1/payment_methods', { key: pageKey, type: 'card', ...card }, pageKey)
  const intent = await sendRequest('POST', '/v1/ec/payments/intents', headers, JSON.stringify({ invoiceIds: [invoice?.id] }))
  const { sessionId } = intent.json as { sessionId: string }
  const body = JSON.stringify({ sessionId, cardToken: token['id'], cardHolder: 'Ann Lee' })
  const paid = await sendRequest('POST', '/v1/ec/payments/pay/bulk', headers, body)
  expect(paid, JSON.stringify(paid.json)).toMatchObject({ status: 200 })
}

test.skipIf(!hasPostgres)(
  '[OPS-03] [AUTH-11] [PAY-01] docs/operating.md, followed line by line on an empty PostgreSQL server, ends with a customer signed in under a brand of its own, within 15 commands, and its invoice paid',
  async () => {
    const commands = documentedCommands()
    const serve = commands.indexOf('npx counterfoil serve')
    expect(serve).toBeGreaterThan(8)
    expect(serve).toBeLessThan(15)
    expect(commands.slice(0, 2)).toEqual(SETUP_COMMANDS)

    const output = await runInOrder(commands.slice(2, serve))
    const added = output.find((words) => words.includes('shown this once')) ?? ''
    const password = /^Password: (\S+) /m.exec(added)?.[1] ?? ''
    const username = commands.map((command) => /user add (\S+)/.exec(command)?.[1]).find((name) => name !== undefined) ?? ''
    const pageKey = commands.map((command) => /--publishable-key (\S+)/.exec(command)?.[1]).find((key) => key !== undefined) ?? ''

    exported = ''
    await whileServing(commands[serve] ?? '', async () => {
      const brand = await sendRequest('GET', '/v1/brands-settings?d=billing.example.com', {})
      expect(brand).toMatchObject({
        status: 200,
        json: { name: 'Example', colour2: '#0b5fa5', endServiceItemDisplayName: 'SIM card', helpEmail: 'help@example.com' },
      })
      await payInvoice(await signIn(username, password), '2026-1001', pageKey)
      const [shown = '', events = ''] = await runInOrder(commands.slice(serve + 1))
      expect(shown).toMatch(/^2026-1001 {2}paid {2}110\.00 AUD.*payment .* succeeded/s)
      expect(JSON.parse(events)).toMatchObject({
        kind: 'payment.succeeded',
        customerExternalId: 'C-1001',
        invoices: [{ externalId: 'N-1', number: '2026-1001', amount: '110.00' }],
      })
    })
  },
)

const runInOrder = async (commands: readonly string[]): Promise<string[]> => {
  const output: string[] = []
  for (const command of commands) output.push(await runDocumentedCommand(command))
  return output
}

test('[OPS-03] the command for a supervisor has the setting and the flag of the program’s own first line', () => {
  const [, settings = '', flags = ''] = /^#!\/usr\/bin\/env -S (\S+) node (.+)$/m.exec(readFileSync(PROGRAM, 'utf8')) ?? []
  expect(DOCUMENT).toContain(`\`${settings} node_modules/.bin/node ${flags} server/bin/counterfoil.js serve\``)
})
