/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Call it before opening anything, so that a process that
 * is stopped while it starts still closes in order.
 */
export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const onSignal = (): void => {
      for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
      resolve()
    }
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal)
  })
