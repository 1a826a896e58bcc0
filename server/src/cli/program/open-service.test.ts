import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../../test/databases/free-port.ts'
import { operatorHomes } from '../../../test/support/cli-home.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/counterfoil.js', import.meta.url))
const homes = operatorHomes()
let child: ChildProcess | null = null
let way: Server | null = null

afterEach(async () => {
  const ended = child === null || child.exitCode !== null || child.signalCode !== null ? null : once(child, 'exit')
  child?.kill('SIGKILL')
  await ended
  way?.close()
})
afterAll(() => homes.tearDown())

/** Starts the server with its database at a port where nobody listens yet. */
const startServer = async () => {
  const home = await homes.next()
  await home.createDatabase()
  const url = new URL(home.env['DATABASE_URL'] ?? '')
  const target = { host: url.hostname, port: Number(url.port) }
  url.hostname = '127.0.0.1'
  url.port = String(await freePort())
  const env = { ...home.env, DATABASE_URL: url.href, LOG_LEVEL: 'info' }
  const started = spawn(process.execPath, [COMMAND, 'serve'], { cwd: home.folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  let output = ''
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.includes(text)) resolve()
      }
      started.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        look()
      })
      started.once('exit', () => reject(new Error(`the server ended: ${output}`)))
      look()
    })
  return { started, says, target, port: Number(url.port) }
}

/** Opens the way to the database. @returns once it listens */
const openWay = async (port: number, target: { host: string; port: number }): Promise<void> => {
  way = createServer((client: Socket) => {
    const upstream = connect(target)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => [client, upstream].forEach((one) => one.destroy()))
  })
  way.listen(port, '127.0.0.1')
  await once(way, 'listening')
}

describe.skipIf(inject('testDatabase').kind !== 'postgres')('while the database is away', () => {
  test('[OPS-02] a server that starts says so in a sentence, tries again, and is ready once it is back', async () => {
    const { says, target, port } = await startServer()
    await says('cannot be reached: nobody listens there.')
    await openWay(port, target)
    await says('"ready"')
  })

  test('[OPS-02] a server that is told to stop meanwhile ends in order', async () => {
    const { started, says } = await startServer()
    await says('It is tried again.')
    started.kill('SIGTERM')
    expect(await once(started, 'exit')).toEqual([0, null])
  })
})
