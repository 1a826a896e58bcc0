/**
 * Resolves when the process is first told to stop (SIGTERM, or Ctrl-C at a terminal); a second time ends it at once.
 * Asked for before anything is opened, so that a process told to stop while it starts still ends in order.
 */
export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const onSignal = (): void => {
      for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
      resolve()
    }
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal)
  })
