/**
 * The process in which a test worker starts its sandboxes: it reads their sources once, and every file gets a new sandbox. A message with
 * the settings of a sandbox starts it and is answered with the sandbox's address; a message with an address closes that one. Ends with the
 * worker.
 */
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts'
import { settingsFrom } from '../../../sandbox/src/sandbox.settings.ts'

/** What a worker asks. Answers come in any order, so that each has the id of what it answers. */
export type HostOrder = { readonly id: string } & (
  | { readonly start: Readonly<Record<string, string>> } // the settings, as environment variables
  | { readonly close: string } // the address
)

export interface HostAnswer {
  readonly id: string
  readonly url: string
  /** Why the sandbox did not start. */
  readonly error?: string
}

const sandboxes = new Map<string, Sandbox>()

const start = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const sandbox = await startSandbox(settingsFrom(settings))
  sandboxes.set(sandbox.url, sandbox)
  return sandbox.url
}

const close = async (url: string): Promise<string> => {
  await sandboxes.get(url)?.close()
  sandboxes.delete(url)
  return url
}

process.on('message', (order: HostOrder) => {
  const answer = (text: Omit<HostAnswer, 'id'>): void => void process.send?.({ id: order.id, ...text })
  const work = 'start' in order ? start(order.start) : close(order.close)
  work.then(
    (url) => answer({ url }),
    (error: unknown) => answer({ url: '', error: String(error) }),
  )
})
process.once('disconnect', () => process.exit())
