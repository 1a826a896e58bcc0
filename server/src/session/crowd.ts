/** Those who have waited so long in a crowd go on in any case. */
const LONGEST_MS = 60
/** Beyond so many at once, others would wait for the crowd. */
const MOST = 8

/**
 * Lets those who are ready go on together, as long as others stand in line behind them anyway. A server that hashes has cold caches, so
 * what follows a hash costs a single one two to three times what it costs each of several, one right after the other.
 * @param inLine how many still stand in line; as many as those are gathered, so that the line never runs empty for want of newcomers
 * @returns resolves when it is time to go on
 */
export const crowd = (inLine: () => number): (() => Promise<void>) => {
  let gathered: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  const goOn = (): void => {
    clearTimeout(timer)
    timer = undefined
    const ready = gathered
    gathered = []
    for (const go of ready) go()
  }
  return () =>
    new Promise((resolve) => {
      gathered.push(resolve)
      if (gathered.length >= Math.min(MOST, inLine())) goOn()
      else timer ??= setTimeout(goOn, LONGEST_MS)
    })
}
