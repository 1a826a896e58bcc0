/** A mutex for each key: work with the same key runs one after the other, in the order of the calls, within this process. */
export const keyedMutex = (): (<T>(key: string, work: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<void>>()
  return (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = run.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, settled)
    void settled.then(() => last.get(key) === settled && last.delete(key))
    return run
  }
}
