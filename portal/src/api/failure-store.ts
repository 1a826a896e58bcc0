/** A set, in memory, of the requests whose last call failed, by their `requestNameOf`. Subscribers are called on each change. */
const createFailureStore = () => {
  const names = new Set<string>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    raise: (requestName: string) => {
      names.add(requestName)
      notify()
    },
    settle: (requestName: string) => {
      if (names.delete(requestName)) notify()
    },
    clear: () => {
      names.clear()
      notify()
    },
    isRaised: () => names.size > 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The failures that the red banner is shown for. */
export const failureStore = createFailureStore()
