import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { AppContext } from '../context.ts'
import { OperatorError } from '../kit/api-error.ts'
import type { Options, Source } from './command.ts'
import { framed, socketInput } from './socket-input.ts'
import { pipedSource, readFileSource, STANDARD_INPUT } from './terminal.ts'

/** A command on its way to the server that holds the data folder. */
export interface Errand {
  readonly command: string
  readonly args: readonly string[]
  readonly options: Options
  readonly json: boolean
}

/** What the server answers, a line each: words, a wish for standard input, and in the end the exit code. */
type News = { readonly out: string } | { readonly err: string } | { readonly send: 'input' } | { readonly exit: number }

/** The longest path that a socket may have on every system that we know. */
const LONGEST_PATH = 100

/** The socket of a data folder: in it, or, where its path is too long for a socket, in a private folder of this user. */
const socketPath = (dataDir: string): string => {
  const folder = realpathSync(dataDir)
  const path = join(folder, 'operator.sock')
  if (path.length <= LONGEST_PATH) return path
  const own = join(tmpdir(), `counterfoil-${userInfo().uid}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  return join(own, `${createHash('sha256').update(folder).digest('hex').slice(0, 24)}.sock`)
}

/** Lets the command line of this folder's owner work through the running server. @returns stops listening */
export const openSocket = async (context: AppContext): Promise<() => Promise<void>> => {
  const path = socketPath(context.config.dataDir)
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => void answer(context, socket))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  chmodSync(path, 0o600)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      rmSync(path, { force: true })
    })
}

const answer = async (context: AppContext, socket: Socket): Promise<void> => {
  const say = (news: News): void => void socket.write(`${JSON.stringify(news)}\n`)
  socket.on('error', () => undefined) // the person left; the command ends by itself
  const received = socketInput(socket)
  const line = await received.line().catch(() => null)
  if (line === null) return void socket.end()
  const input = pipedSource(() => {
    say({ send: 'input' })
    return received.frames()
  })
  socket.end(await run(context, JSON.parse(line) as Errand, input, say))
  await received.drain() // so that the last words arrive, although the other side may still be sending
}

const run = async (context: AppContext, errand: Errand, input: Source, say: (news: News) => void): Promise<string> => {
  const io = {
    out: (out: string) => say({ out }),
    err: (err: string) => say({ err }),
    json: errand.json,
    openFile: async (path: string) => (path === STANDARD_INPUT ? input : readFileSource(path)),
  }
  let exit = 1
  try {
    const { perform } = await import('./commands.ts') // an idle server does without them
    exit = await perform(errand.command, context, io, errand.args, errand.options)
  } catch (error) {
    if (!(error instanceof OperatorError)) context.log.error({ err: error, command: errand.command }, 'a command failed')
    const words = error instanceof OperatorError ? error.message : 'The command failed; the server’s log says why.'
    say({ err: words })
    if (errand.json) say({ out: JSON.stringify({ error: words }) })
  }
  return `${JSON.stringify({ exit } satisfies News)}\n`
}

/** What a command that runs through the server says here, and what is piped into it. */
export interface FarIo {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Opened when the command reads `-`. */
  readonly input: () => AsyncIterable<Uint8Array>
}

/**
 * Runs a command through the server that holds the data folder.
 * @returns the exit code, or null when no server listens there
 */
export const throughServer = (dataDir: string, errand: Errand, io: FarIo): Promise<number | null> =>
  new Promise((resolve, reject) => {
    let path: string
    try {
      path = socketPath(dataDir)
    } catch {
      return resolve(null) // no folder, so no server
    }
    let exit: number | null = null
    let connected = false
    let failure: OperatorError | null = null
    const over = new AbortController()
    const socket = createConnection(path, () => {
      connected = true
      socket.write(`${JSON.stringify(errand)}\n`)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!connected && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')) return resolve(null)
      if (exit !== null || failure !== null) return // all is said
      reject(new OperatorError(`The running server did not answer (${error.code}).`, { cause: error }))
    })
    const lines = createInterface({ input: socket })
    lines.on('error', () => undefined) // the socket tells of it
    lines.on('line', (line) => {
      const news = JSON.parse(line) as News
      if ('out' in news) io.out(news.out)
      else if ('err' in news) io.err(news.err)
      else if ('send' in news)
        sendInput(socket, io.input(), over.signal).catch((error: unknown) => {
          failure = new OperatorError('The input could not be read to its end. Nothing was imported.', { cause: error })
          socket.destroy()
        })
      else {
        exit = news.exit
        over.abort()
        socket.end()
      }
    })
    socket.on('close', () => {
      over.abort()
      if (!connected) return
      if (failure !== null) reject(failure)
      else if (exit === null)
        reject(new OperatorError('The server stopped before the command was done. Run it again: what it had begun was not kept.'))
      else resolve(exit)
    })
  })

/** Sends an input in frames, until the signal says that no more of it is wanted. @throws Error when the input breaks off: it must not be taken for the whole */
const sendInput = async (socket: Socket, input: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> => {
  const send = async (frames: AsyncIterable<Buffer>): Promise<void> => {
    for await (const frame of frames) if (!socket.write(frame)) await once(socket, 'drain', { signal })
  }
  try {
    await pipeline(input, framed, send, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
