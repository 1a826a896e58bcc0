import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'

let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-main-'))
})

afterAll(async () => {
  await rm(dir, { recursive: true })
})

const startProgram = (port: string): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } =>
  spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env['PATH'], SANDBOX_PORT: port, SANDBOX_DIR: join(dir, 'made', 'when-absent') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

test('the program prints its addresses in one line, accepts mail on the next port, and exits with 0 on SIGTERM', async () => {
  const program = startProgram('4380')
  const [line] = (await once(program.stdout, 'data')) as [Buffer]
  expect(line.toString()).toBe('The sandbox is ready at http://127.0.0.1:4380 and takes mail at smtp://127.0.0.1:4381\n')
  expect((await fetch('http://127.0.0.1:4380/mail')).status).toBe(200)
  program.kill('SIGTERM')
  expect(await once(program, 'exit')).toEqual([0, null])
})

test('a port in use makes the program exit with 1 and one sentence', async () => {
  const blocker = createServer().listen(4382, '127.0.0.1')
  await once(blocker, 'listening')
  const program = startProgram('4382')
  const [[code], output] = await Promise.all([once(program, 'exit'), text(program.stderr)])
  blocker.close()
  expect(code).toBe(1)
  expect(output).toBe('Port 4382 on 127.0.0.1 is already taken. Stop the program that holds it, or set SANDBOX_PORT to a free port.\n')
})

test.each(['65536', '3900x', '-1'])('SANDBOX_PORT=%s makes the program exit with a sentence', async (port) => {
  const program = startProgram(port)
  const [[code], output] = await Promise.all([once(program, 'exit'), text(program.stderr)])
  expect([code, output]).toEqual([1, `SANDBOX_PORT must be a whole number from 0 to 65535, not "${port}".\n`])
})
