/**
 * The load of many clients, made by a process of its own so that it measures nothing of itself: each client has one connection and sends
 * the same request over it again and again. Forked by `runClients`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { HttpCall } from './http-load.ts'

export interface ClientsLoad {
  readonly url: string
  /** One for each client. */
  readonly calls: readonly HttpCall[]
  readonly seconds: number
  /**
   * How many requests are sent each second whatever becomes of those before; null: each client sends the next one when it has its answer,
   * and comes again after the time that a refusal names.
   */
  readonly perSecond: number | null
}

export interface ClientsFigures {
  /** Milliseconds from sending a request until its answer was there: those with status 200, and those with 503. */
  readonly answeredMs: number[]
  readonly refusedMs: number[]
  /** How many were due and not sent, since every client still waited for an answer. */
  readonly unsent: number
  /** How many seconds refusals named at most. */
  readonly maxRetryAfterS: number
}

/** Runs this load in a process of its own. */
export const runClients = async (load: ClientsLoad): Promise<ClientsFigures> => {
  const child = fork(import.meta.filename, { serialization: 'advanced' })
  child.send(load)
  const figures = once(child, 'message') as Promise<[ClientsFigures]>
  const [result] = await Promise.race([figures, once(child, 'exit')])
  if (typeof result === 'number') throw new Error(`the clients ended with ${result}`)
  return result
}

interface Answer {
  readonly status: number
  readonly retryAfterS: number
  readonly ms: number
}

/** People do not come in the same instant. */
const ARRIVAL_MS = 1_000
const END_OF_HEAD = '\r\n\r\n'

const openClient = async ({ hostname, port, host }: URL, { path, headers = {} }: HttpCall): Promise<() => Promise<Answer>> => {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const text = `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEAD}`
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let [received, sentAt] = [Buffer.alloc(0), 0]
  let finish: (answer: Answer) => void
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    const endOfHead = received.indexOf(END_OF_HEAD)
    const head = received.toString('latin1', 0, Math.max(0, endOfHead))
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
    if (endOfHead < 0 || received.length < endOfHead + END_OF_HEAD.length + length) return
    received = Buffer.alloc(0)
    const retryAfterS = Number(/^retry-after: (\d+)/im.exec(head)?.[1] ?? 0)
    finish({ status: Number(head.slice(9, 12)), retryAfterS, ms: performance.now() - sentAt })
  })
  await once(socket, 'connect')
  return () =>
    new Promise((resolve) => {
      finish = resolve
      sentAt = performance.now()
      socket.write(text)
    })
}

const work = async ({ url, calls, seconds, perSecond }: ClientsLoad): Promise<ClientsFigures> => {
  const clients: (() => Promise<Answer>)[] = []
  for (const call of calls) clients.push(await openClient(new URL(url), call))
  const figures = { answeredMs: [] as number[], refusedMs: [] as number[], unsent: 0, maxRetryAfterS: 0 }
  const endsAt = performance.now() + seconds * 1_000
  const isOver = (): boolean => performance.now() >= endsAt
  const send = async (client: () => Promise<Answer>): Promise<number> => {
    const { status, retryAfterS, ms } = await client()
    if (status !== 200 && status !== 503) throw new Error(`answered ${status}`)
    ;(status === 200 ? figures.answeredMs : figures.refusedMs).push(ms)
    figures.maxRetryAfterS = Math.max(figures.maxRetryAfterS, retryAfterS)
    return retryAfterS
  }
  const sendPolitely = async (client: () => Promise<Answer>): Promise<void> => {
    await setTimeout(Math.random() * ARRIVAL_MS)
    while (!isOver()) {
      const retryAfterS = await send(client)
      if (retryAfterS > 0) await setTimeout(Math.max(0, Math.min(retryAfterS * 1_000, endsAt - performance.now())))
    }
  }
  if (perSecond === null) await Promise.all(clients.map(sendPolitely))
  else await sendRegularly(clients, send, { perSecond, isOver, miss: (count) => (figures.unsent += count) })
  return figures
}

const sendRegularly = async (
  clients: readonly (() => Promise<Answer>)[],
  send: (client: () => Promise<Answer>) => Promise<number>,
  { perSecond, isOver, miss }: { perSecond: number; isOver: () => boolean; miss: (count: number) => void },
): Promise<void> => {
  const free = [...clients]
  const startedAt = performance.now()
  let due = 0
  while (!isOver()) {
    const count = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) - due
    due += count
    const sending = free.splice(0, count)
    miss(count - sending.length)
    for (const client of sending) void send(client).then(() => free.push(client))
    await setTimeout(1)
  }
}

process.once('message', (load) => void work(load as ClientsLoad).then((figures) => process.send?.(figures, () => process.exit())))
