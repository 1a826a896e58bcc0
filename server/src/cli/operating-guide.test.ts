import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { PORTAL } from '../../test/support/http-client.ts'
import { freePort } from '../../test/databases/free-port.ts'
import { postgresBinaries } from '../../test/databases/postgres-binaries.ts'
import { type PostgresServer, startPostgres } from '../../test/databases/postgres-server.ts'
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
let home: string
let port: number

beforeAll(async () => {
  if (!hasPostgres) return
  server = await startPostgres()
  mailbox = await startTestMailbox()
  home = mkdtempSync(join(tmpdir(), 'counterfoil-walk-'))
  port = await freePort()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z" fill="#0b5fa5"/></svg>'
  writeFileSync(join(home, 'logo.svg'), svg)
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  writeFileSync(join(home, 'banner.png'), Buffer.from(png, 'base64'))
})
afterAll(async () => {
  await mailbox?.close()
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

test.skipIf(!hasPostgres)(
  '[OPS-03] [AUTH-11] docs/operating.md, followed line by line on an empty PostgreSQL server, ends with a customer signed in under a brand of its own, within 15 commands',
  async () => {
    const commands = documentedCommands()
    expect(commands.length).toBeGreaterThan(8)
    expect(commands.length).toBeLessThanOrEqual(15)
    expect(commands.slice(0, 2)).toEqual(SETUP_COMMANDS)
    const serve = commands.at(-1) ?? ''
    expect(serve).toBe('npx counterfoil serve')

    const output: string[] = []
    for (const command of commands.slice(2, -1)) output.push(await runDocumentedCommand(command))
    const added = output.find((words) => words.includes('shown this once')) ?? ''
    const password = /^Password: (\S+) /m.exec(added)?.[1] ?? ''
    const username = commands.map((command) => /user add (\S+)/.exec(command)?.[1]).find((name) => name !== undefined) ?? ''

    exported = ''
    await whileServing(serve, async () => {
      const brand = await sendRequest('GET', '/v1/brands-settings?d=billing.example.com', {})
      expect(brand).toMatchObject({ status: 200, json: { name: 'Example', colour2: '#0b5fa5', endServiceItemDisplayName: 'SIM card' } })
      const form = new URLSearchParams({ grant_type: 'password', username, password, ...PORTAL }).toString()
      const token = await sendRequest('POST', '/token', { 'content-type': 'application/x-www-form-urlencoded' }, form)
      expect(token.status).toBe(200)
      const { access_token: bearer } = token.json as { access_token: string }
      const me = await sendRequest('GET', '/v1/ec/me', { authorization: `Bearer ${bearer}` })
      expect(me.json).toEqual({ customers: [{ customerId: expect.any(Number) as number, label: 'Harbour Lights', selected: true }] })
    })
  },
)

test('[OPS-03] the fields that docs/operating.md lists are those that each kind of import has', async () => {
  const { IMPORT_KINDS: KINDS } = await import('../imports/records/kinds.data.ts')
  const { shapeOf } = await import('../imports/records/kind-shape.rules.ts')
  for (const kind of KINDS) {
    const row = DOCUMENT.split('\n').find((line) => line.startsWith(`| \`${kind.name}\` |`)) ?? ''
    const listed =
      row
        .split('|')
        .at(-2)
        ?.replaceAll(/\([^)]*\)/g, '')
        .replace('extraField1 to 5', 'extraField1, extraField2, extraField3, extraField4, extraField5') ?? ''
    const names = listed.split(',').map((name) => name.trim())
    const { fields, required: needed } = shapeOf(kind)
    expect(names.map((name) => name.replaceAll('*', '')).toSorted(), kind.name).toEqual(fields.toSorted())
    expect(
      names
        .filter((name) => name.startsWith('**'))
        .map((name) => name.replaceAll('*', ''))
        .toSorted(),
      kind.name,
    ).toEqual([...needed].toSorted())
  }
})
