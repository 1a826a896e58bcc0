/** Work that is looked for again and again, and at once when somebody says that there is some. */
export interface Poller {
  /** There is work in this process: it need not wait for the next round. */
  wake(): void
  /** Begins no further round, tells the one under way, and waits for it. */
  stop(): Promise<void>
}

export interface PollerOptions {
  /** From the end of one round to the beginning of the next. */
  readonly intervalMs: number
  /** From being woken to the beginning of the round; 0 where it is missing. */
  readonly wakeDelayMs?: () => number
  /** One round. It should come to its end soon when the signal says so. */
  run(signal: AbortSignal): Promise<void>
  /** A round failed; the next one comes all the same. */
  onError(error: unknown): void
}

/** Begins rounds, one after the other and never two at once, until they are stopped. */
export const startPoller = ({ intervalMs, wakeDelayMs = () => 0, run, onError }: PollerOptions): Poller => {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let currentRun: Promise<void> | undefined
  let isWoken = false

  const schedule = (): void => {
    clearTimeout(timer)
    if (!stopping.signal.aborted) timer = setTimeout(startRun, isWoken ? wakeDelayMs() : intervalMs)
  }
  const startRun = (): void => {
    isWoken = false
    currentRun = runOnce()
  }
  const runOnce = async (): Promise<void> => {
    await run(stopping.signal).catch(onError)
    currentRun = undefined
    schedule()
  }

  schedule()
  return {
    wake: () => {
      if (isWoken) return
      isWoken = true
      if (currentRun === undefined) schedule()
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await currentRun
    },
  }
}
