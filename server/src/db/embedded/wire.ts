import { Duplex } from 'node:stream'
import { SessionBusy, type SessionLock } from './session-lock.ts'

/** Messages to and from the engine's thread. */
export interface ToEngine {
  readonly id: number
  readonly kind: 'exec' | 'snapshot' | 'close'
  readonly bytes: Uint8Array
}
export type FromEngine =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly failure: string }

export interface Engine {
  exec(bytes: Uint8Array): Promise<Buffer>
  readonly sessionLock: SessionLock<object>
}

/** The number as four big-endian bytes. */
const toUint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
/** The text in UTF-8, ended by a zero byte. */
const toCString = (value: string): Buffer => Buffer.from(`${value}\0`)
/** A message of PostgreSQL's protocol: its type, its length and its parts. */
const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), toUint32(body.length + 4), body])
}

const SERVER_PARAMETERS: Readonly<Record<string, string>> = {
  server_version: '18.0',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  integer_datetimes: 'on',
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
}
const READY_FOR_QUERY = message('Z', Buffer.from('I'))
const STARTUP_RESPONSE = Buffer.concat([
  message('R', toUint32(0)),
  ...Object.entries(SERVER_PARAMETERS).map(([name, value]) => message('S', toCString(name), toCString(value))),
  message('K', toUint32(1), toUint32(1)),
  READY_FOR_QUERY,
])
const SSL_REQUEST = 80_877_103
/** Messages that the server replies to: Query, Sync, Flush, CopyDone, CopyFail. */
const REPLY_EXPECTED = 'QSHcf'
/**
 * Whether a message is a Query with COPY … FROM STDIN, whose rows must reach the engine in one piece with it.
 * Else the engine would wait for them and serve nobody.
 */
const isCopyIn = (bytes: Buffer): boolean => bytes[0] === 0x51 && /(?:^|; )copy\s[^;]*\sfrom\s+stdin\b/i.test(bytes.toString('utf8', 5))
/** CopyInResponse: text in columns that the client need not know. */
const COPY_IN_RESPONSE = message('G', Buffer.from([0, 0, 0]))

/** The engine's response without its CopyInResponse, which the client has had already. */
const withoutCopyInResponse = (response: Buffer): Buffer => {
  let at = 0
  while (at < response.length && response[at] !== COPY_IN_RESPONSE[0]) at += 1 + response.readUInt32BE(at + 1)
  if (at >= response.length) return response
  return Buffer.concat([response.subarray(0, at), response.subarray(at + 1 + response.readUInt32BE(at + 1))])
}

/** An ErrorResponse, followed by ReadyForQuery outside a transaction. */
const errorResponse = (sqlState: string, text: string): Buffer =>
  Buffer.concat([
    message('E', toCString('SERROR'), toCString('VERROR'), toCString(`C${sqlState}`), toCString(`M${text}`), Buffer.from('\0')),
    READY_FOR_QUERY,
  ])

/** Whether the response ends with ReadyForQuery outside a transaction: then the session is free for the next client. */
const isIdle = (response: Buffer): boolean =>
  response.length >= 6 &&
  response[response.length - 6] === 0x5a &&
  response.readUInt32BE(response.length - 5) === 5 &&
  response.at(-1) === 0x49

/**
 * A client's connection to the embedded engine. It speaks PostgreSQL's wire protocol, so that node-postgres serves both databases. A
 * client holds the session from its first message until it is outside a transaction again.
 */
export class WireConnection extends Duplex {
  readonly #engine: Engine
  #unread: Buffer = Buffer.alloc(0)
  #batch: Buffer[] = []
  #isStarted = false
  #queue: Promise<void> = Promise.resolve()

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  /** node-postgres calls these on a socket. */
  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    while (this.#isStarted ? this.#readMessage() : this.#readStartup()) continue
    callback()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.#engine.sessionLock.isHeldBy(this)) {
      const rollback = this.#engine.exec(message('Q', toCString('ROLLBACK')))
      void rollback.catch(() => undefined).finally(() => this.#engine.sessionLock.release(this))
    }
    callback(error)
  }

  #readStartup(): boolean {
    if (this.#unread.length < 8) return false
    const length = this.#unread.readUInt32BE(0)
    if (this.#unread.length < length) return false
    const code = this.#unread.readUInt32BE(4)
    this.#unread = this.#unread.subarray(length)
    if (code === SSL_REQUEST) {
      this.push('N')
      return true
    }
    this.#isStarted = true
    this.push(STARTUP_RESPONSE)
    return true
  }

  #readMessage(): boolean {
    if (this.#unread.length < 5) return false
    const length = 1 + this.#unread.readUInt32BE(1)
    if (this.#unread.length < length) return false
    const bytes = this.#unread.subarray(0, length)
    this.#unread = this.#unread.subarray(length)
    const type = String.fromCharCode(bytes[0] ?? 0)
    if (type === 'X') {
      this.#enqueue(async () => void this.push(null))
      return true
    }
    this.#batch.push(bytes)
    if (isCopyIn(bytes)) this.#enqueue(async () => void this.push(COPY_IN_RESPONSE))
    else if (REPLY_EXPECTED.includes(type)) {
      const batch = Buffer.concat(this.#batch)
      this.#batch = []
      this.#enqueue(() => this.#send(batch))
    }
    return true
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: Error) => void this.destroy(error))
  }

  async #send(bytes: Buffer): Promise<void> {
    try {
      await this.#engine.sessionLock.acquire(this)
    } catch (error) {
      if (!(error instanceof SessionBusy)) throw error
      this.push(errorResponse('55P03', error.message)) // an ErrorResponse, as a server would send, keeps the client usable
      return
    }
    if (this.destroyed) return this.#engine.sessionLock.release(this)
    const response = await this.#engine.exec(bytes)
    if (isIdle(response)) this.#engine.sessionLock.release(this)
    this.push(isCopyIn(bytes) ? withoutCopyInResponse(response) : response)
  }
}
