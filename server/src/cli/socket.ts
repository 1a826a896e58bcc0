import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { AppContext } from '../context.ts'
import { explainDatabaseError } from '../db/database-errors.ts'
import { OperatorError } from '../kit/api-error.ts'
import type { CommandIo, InputFile, Options } from './command.ts'
import { toFrames, socketInput } from './socket-input.ts'
import { pipedSource, openFileSource, STANDARD_INPUT } from './terminal.ts'
import { connectionErrorText } from '../kit/system-errors.ts'

/** A command sent to the server that holds the data folder. */
export interface CommandRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly options: Options
  readonly json: boolean
}

/**
 * One line of the server's answer: output, a request for standard input, or for an end of the input at Ctrl-C, or at last the exit code.
 */
type ServerMessage = { readonly out: string } | { readonly err: string } | { readonly send: 'input' | 'stop' } | { readonly exit: number }

/** Socket paths are limited to 104 bytes on macOS and 108 on Linux. */
const MAX_SOCKET_PATH_LENGTH = 100

/**
 * The path of the Unix socket on which the server of a data folder takes commands. It lies in that folder, or in a private folder of this
 * user when the path would be too long.
 */
const socketPath = (dataDir: string): string => {
  const folder = realpathSync(dataDir)
  const path = join(folder, 'operator.sock')
  if (path.length <= MAX_SOCKET_PATH_LENGTH) return path
  const privateFolder = join(tmpdir(), `counterfoil-${userInfo().uid}`)
  mkdirSync(privateFolder, { recursive: true, mode: 0o700 })
  return join(privateFolder, `${createHash('sha256').update(folder).digest('hex').slice(0, 24)}.sock`)
}

/** Listens on the data folder's Unix socket for commands that its owner's other processes send. @returns a function that stops listening */
export const listenForCommands = async (context: AppContext): Promise<() => Promise<void>> => {
  const path = socketPath(context.config.dataDir)
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => void answerCommand(context, socket))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  chmodSync(path, 0o600)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      rmSync(path, { force: true })
    })
}

/** Reads the one command that another process sends to this server, runs it in this process, and sends back its output and exit code. */
const answerCommand = async (context: AppContext, socket: Socket): Promise<void> => {
  const send = (message: ServerMessage): void => void socket.write(`${JSON.stringify(message)}\n`)
  socket.on('error', () => undefined) // the client disconnected; the command ends by itself
  const incoming = socketInput(socket)
  const line = await incoming.readLine().catch(() => null)
  if (line === null) return void socket.end()
  const input = pipedSource(() => {
    send({ send: 'input' })
    return incoming.readFrames()
  })
  const catchStop = (): AbortSignal => {
    const stop = new AbortController()
    void incoming.untilEnd().then(() => stop.abort())
    send({ send: 'stop' })
    return stop.signal
  }
  socket.end(await runReceivedCommand(context, JSON.parse(line) as CommandRequest, { input, catchStop }, send))
  await incoming.drain() // the client may still be sending; closing early would lose the last answer
}

/** Runs a command and sends its output as it comes. @returns the last line of the answer, with the exit code */
const runReceivedCommand = async (
  context: AppContext,
  request: CommandRequest,
  { input, catchStop }: { input: InputFile; catchStop: () => AbortSignal },
  send: (message: ServerMessage) => void,
): Promise<string> => {
  const io = {
    out: (out: string) => send({ out }),
    err: (err: string) => send({ err }),
    json: request.json,
    openFile: async (path: string) => (path === STANDARD_INPUT ? input : openFileSource(path)),
    catchStop,
  }
  let exit = 1
  try {
    const { dispatchCommand } = await import('./program/dispatch.ts') // loaded on first use, to keep the idle server small
    const running = { ...context, migrations: [] } // the server has opened the database, not this command
    exit = await dispatchCommand(request.command, running, io, request.args, request.options)
  } catch (error) {
    if (!(error instanceof OperatorError)) context.log.error({ err: error, command: request.command }, 'a command failed')
    const text =
      error instanceof OperatorError
        ? error.message
        : (explainDatabaseError(error, context.config) ?? 'The command failed; the server’s log says why.')
    send({ err: text })
    if (request.json) send({ out: JSON.stringify({ error: text }) })
  }
  return `${JSON.stringify({ exit } satisfies ServerMessage)}\n`
}

/** The streams of a command that runs inside the server. */
export interface RemoteIo {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Opened when the command reads `-`. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** Called when the command can be stopped. */
  readonly catchStop?: CommandIo['catchStop']
}

/**
 * Runs a command through the server that holds the data folder.
 * @returns the exit code, or null when no server listens there
 */
export const runOnServer = (dataDir: string, request: CommandRequest, io: RemoteIo): Promise<number | null> =>
  new Promise((resolve, reject) => {
    let path: string
    try {
      path = socketPath(dataDir)
    } catch {
      return resolve(null) // without a data folder there is no server
    }
    let exit: number | null = null
    let connected = false
    let failure: OperatorError | null = null
    const finished = new AbortController()
    const socket = createConnection(path, () => {
      connected = true
      socket.write(`${JSON.stringify(request)}\n`)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!connected && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')) return resolve(null)
      if (exit !== null || failure !== null) return // the outcome is known already
      reject(
        new OperatorError(`The running server did not answer: ${connectionErrorText(error) ?? 'the system refuses it'}.`, { cause: error }),
      )
    })
    const lines = createInterface({ input: socket })
    lines.on('error', () => undefined) // the socket reports it
    lines.on('line', (line) => {
      const message = JSON.parse(line) as ServerMessage
      if ('out' in message) io.out(message.out)
      else if ('err' in message) io.err(message.err)
      else if ('send' in message && message.send === 'stop') io.catchStop?.().addEventListener('abort', () => socket.end())
      else if ('send' in message)
        sendInput(socket, io.input(), finished.signal).catch((error: unknown) => {
          failure = new OperatorError('The input could not be read to its end. Nothing was imported.', { cause: error })
          socket.destroy()
        })
      else {
        exit = message.exit
        finished.abort()
        socket.end()
      }
    })
    socket.on('close', () => {
      finished.abort()
      if (!connected) return
      if (failure !== null) reject(failure)
      else if (exit === null)
        reject(new OperatorError('The server stopped before the command was done. Run it again: what it had begun was not kept.'))
      else resolve(exit)
    })
  })

/** Sends the input in frames until the signal aborts. @throws Error when the input fails, so that a part is never taken for the whole */
const sendInput = async (socket: Socket, input: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> => {
  const send = async (frames: AsyncIterable<Buffer>): Promise<void> => {
    for await (const frame of frames) if (!socket.write(frame)) await once(socket, 'drain', { signal })
  }
  try {
    await pipeline(input, toFrames, send, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
