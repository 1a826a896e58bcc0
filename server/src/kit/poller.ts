/** Work that is looked for again and again, and at once when somebody says that there is some. */
export interface Rounds {
  /** There is work in this process: it need not wait for the next round. */
  wake(): void
  /** Begins no further round, tells the one under way, and waits for it. */
  stop(): Promise<void>
}

export interface RoundsOptions {
  /** From the end of one round to the beginning of the next. */
  readonly everyMs: number
  /** From being woken to the beginning of the round; 0 where it is missing. */
  readonly wokenAfterMs?: () => number
  /** One round. It should come to its end soon when the signal says so. */
  work(signal: AbortSignal): Promise<void>
  /** A round failed; the next one comes all the same. */
  failed(error: unknown): void
}

/** Begins rounds, one after the other and never two at once, until they are stopped. */
export const startRounds = ({ everyMs, wokenAfterMs = () => 0, work, failed }: RoundsOptions): Rounds => {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isWoken = false

  const plan = (): void => {
    clearTimeout(timer)
    if (!stopping.signal.aborted) timer = setTimeout(begin, isWoken ? wokenAfterMs() : everyMs)
  }
  const begin = (): void => {
    isWoken = false
    underWay = round()
  }
  const round = async (): Promise<void> => {
    await work(stopping.signal).catch(failed)
    underWay = undefined
    plan()
  }

  plan()
  return {
    wake: () => {
      if (isWoken) return
      isWoken = true
      if (underWay === undefined) plan()
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await underWay
    },
  }
}
