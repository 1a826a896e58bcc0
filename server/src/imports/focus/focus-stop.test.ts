import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { listenForCommands, runOnServer } from '../../cli/socket.ts'
import { openFileSource } from '../../cli/terminal.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { focusCsv } from './focus-sample.data.ts'
import { importFocus } from './import-focus.service.ts'

const testDatabase = inject('testDatabase')
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-stop-'))
const path = join(folder, 'bill.csv')
const ROWS = 25_000
/** Every command line below makes this reseller, unless it is stopped. */
const reseller = 'Linden'
const options = { reseller, brand: reseller, create: true }

let context: TestContext

beforeAll(async () => {
  context = await testContext({ DATA_DIR: folder })
  const [header = '', row = ''] = focusCsv([{ BilledCost: '1.25' }])
    .trimEnd()
    .split('\n')
  writeFileSync(path, `${header}\n${`${row}\n`.repeat(ROWS)}`)
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What is left of the imports: resellers of that name, and staged rows. */
const leftovers = async (): Promise<number[]> => {
  const [row] = await queryAsAdministrator<{ resellers: number; imports: number }>(
    context,
    `select (select count(*)::int from reseller where name = '${reseller}') as resellers, (select count(*)::int from import_staging) as imports`,
  )
  return [row?.resellers ?? -1, row?.imports ?? -1]
}

test('[OPS-03] an import that is stopped in its last step still leaves nothing', async () => {
  const stop = new AbortController()
  const progress = (words: string): void => {
    if (words === 'Making the invoices …') stop.abort()
  }
  const input = { ...options, skipBad: false, dryRun: false, stopped: stop.signal, progress }
  await expect(importFocus(context, [await openFileSource(path)], input)).rejects.toThrow('Stopped. Nothing was imported.')
  expect(await leftovers()).toEqual([0, 0])
})

test('[OPS-03] Ctrl-C stops an import in the running server too; the command waits to say what stands', async () => {
  const close = await listenForCommands(context)
  const [out, err]: [string[], string[]] = [[], []]
  const stop = new AbortController()
  try {
    const io = {
      out: (line: string) => {
        out.push(line)
        if (line.startsWith('Checked 10,000 rows')) stop.abort()
      },
      err: (line: string) => void err.push(line),
      input: () => openNothing(),
      catchStop: () => stop.signal,
    }
    expect(await runOnServer(folder, { command: 'import focus', args: [path], options, json: false }, io)).toBe(1)
  } finally {
    await close()
  }
  expect([out.at(-1)?.slice(0, 7), err]).toEqual(['Checked', ['Stopped. Nothing was imported.']])
  expect(out).not.toContain('Making the invoices …')
  expect(await leftovers()).toEqual([0, 0])
})

async function* openNothing(): AsyncGenerator<Uint8Array> {
  yield* []
}

test.runIf(testDatabase.kind === 'postgres')('[OPS-03] Ctrl-C at the terminal ends an import in order, with a sentence', async () => {
  const { rows } = await context.store.pools.interactive.query<{ name: string }>('select current_database()::text as name')
  const url = new URL(testDatabase.kind === 'postgres' ? testDatabase.ownerUrl : '')
  url.pathname = rows[0]?.name ?? ''
  const program = fileURLToPath(new URL('../../counterfoil.ts', import.meta.url))
  const importing = spawn(process.execPath, [program, 'import', 'focus', path, '--reseller', reseller, '--brand', reseller, '--create'], {
    env: { ...process.env, DATABASE_URL: url.href, DATA_DIR: folder },
  })
  importing.stdout.on('data', (words: Buffer) => {
    if (words.includes('Checked 10,000 rows')) importing.kill('SIGINT')
  })
  const said = text(importing.stderr)
  const exit = new Promise((resolve) => importing.on('exit', (code, signal) => resolve(code ?? signal)))
  expect([await said, await exit]).toEqual(['Stopping …\nStopped. Nothing was imported.\n', 1])
  expect(await leftovers()).toEqual([0, 0])
})
