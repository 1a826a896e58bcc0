import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Keys and pointer moves, in the form that WebDriver and WebDriver BiDi share. */
type ActionSequence = Readonly<Record<string, unknown>>

/** A browser with one window. */
export interface Driver {
  open(url: string): Promise<void>
  /** Runs the body of a function in the page, and returns what it returns as JSON. */
  evaluate(body: string): Promise<unknown>
  perform(actions: readonly ActionSequence[]): Promise<void>
  close(): Promise<void>
}

/** A browser that may be installed. */
export interface BrowserKind {
  readonly name: string
  /** The programs that it needs, by their paths. */
  readonly programs: readonly string[]
  readonly start: (port: number) => Promise<Driver>
}

const STARTING_MS = 20_000
const FIREFOX = '/usr/bin/firefox-esr'
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
const XVFB = '/usr/bin/xvfb-run'

export const isInstalled = ({ programs }: BrowserKind): boolean => programs.every((program) => existsSync(program))

/** Repeats until it succeeds: a browser that is just starting refuses connections. */
const untilStarted = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + STARTING_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(100)
    }
  }
}

/** Ends a program and those that it started. */
const stopGroup = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM')
}

/** Debian has no geckodriver, so Firefox is driven by the protocol that it speaks itself: WebDriver BiDi. */
const startFirefox = async (port: number): Promise<Driver> => {
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-firefox-'))
  const args = ['--headless', '--no-remote', '--profile', profile, `--remote-debugging-port=${port}`, 'about:blank']
  const firefox = spawn(FIREFOX, args, { stdio: 'ignore', detached: true, env: { ...process.env, HOME: profile } })
  const socket = await untilStarted(() => openSocket(`ws://127.0.0.1:${port}/session`))
  const send = commandsOver(socket)
  await send('session.new', { capabilities: {} })
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: readonly { context: string }[] }
  const context = contexts[0]?.context
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async (body) => {
      const expression = `JSON.stringify((() => { ${body} })() ?? null)`
      const answer = (await send('script.evaluate', { expression, target: { context }, awaitPromise: true })) as {
        readonly result?: { readonly value?: string }
      }
      return JSON.parse(answer.result?.value ?? 'null')
    },
    perform: async (actions) => void (await send('input.performActions', { context, actions })),
    close: async () => {
      socket.close()
      stopGroup(firefox)
      await delay(500) // it still writes to its profile
      await rm(profile, { recursive: true, force: true })
    },
  }
}

const openSocket = (url: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('error', () => reject(new Error(`nothing answers at ${url}`)))
  })

interface Answer {
  readonly id?: number
  readonly result?: unknown
  readonly message?: string
}

const commandsOver = (socket: WebSocket): ((method: string, params: object) => Promise<unknown>) => {
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, ({ result, message }) => (result === undefined ? reject(new Error(`${method}: ${message}`)) : resolve(result)))
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}

/** WebKitGTK by its WebDriver, on a screen that nobody sees. */
const startWebKit = async (port: number): Promise<Driver> => {
  const args = ['-a', '-s', '-screen 0 1280x900x24', WEBKIT_DRIVER, `--port=${port}`]
  const driver = spawn(XVFB, args, { stdio: 'ignore', detached: true })
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const options = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...options })
    const { value } = (await response.json()) as { readonly value: unknown }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value).slice(0, 300)}`)
    return value
  }
  const { sessionId } = (await untilStarted(() => send('POST', '/session', { capabilities: {} }))) as { readonly sessionId: string }
  const session = `/session/${sessionId}`
  return {
    open: async (url) => void (await send('POST', `${session}/url`, { url })),
    evaluate: (body) => send('POST', `${session}/execute/sync`, { script: `return (() => { ${body} })() ?? null`, args: [] }),
    perform: async (actions) => void (await send('POST', `${session}/actions`, { actions })),
    close: async () => {
      await send('DELETE', session)
      stopGroup(driver)
    },
  }
}

/** The browsers that `npm run test:browsers` tries. */
export const BROWSERS: readonly BrowserKind[] = [
  { name: 'Firefox (firefox-esr)', programs: [FIREFOX], start: startFirefox },
  { name: 'WebKit (webkit2gtk-driver, xvfb)', programs: [WEBKIT_DRIVER, XVFB], start: startWebKit },
]
