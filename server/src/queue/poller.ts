/** Runs a task in intervals, and at once when there is known to be work. */
export interface Poller {
  /** Starts the next run now instead of after the interval. */
  wake(): void
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>
}

export interface PollerOptions {
  /** From the end of one run to the start of the next. */
  readonly intervalMs: number
  /** One run. */
  run(): Promise<void>
  /** Called when a run failed; the next one starts all the same. */
  onError(error: unknown): void
}

/** Starts runs one after the other, never two at once, until it is stopped. */
export const startPoller = ({ intervalMs, run, onError }: PollerOptions): Poller => {
  let timer: NodeJS.Timeout | undefined
  let currentRun: Promise<void> | undefined
  let [isWoken, isStopped] = [false, false]

  const schedule = (): void => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(startRun, isWoken ? 0 : intervalMs)
  }
  const startRun = (): void => {
    isWoken = false
    currentRun = runOnce()
  }
  const runOnce = async (): Promise<void> => {
    await run().catch(onError)
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
      isStopped = true
      clearTimeout(timer)
      await currentRun
    },
  }
}
