/** Which kinds of requests have failed, each by its `queryKind`. */
const createFailureStore = () => {
  const kinds = new Set<string>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    raise: (kind: string) => {
      kinds.add(kind)
      notify()
    },
    settle: (kind: string) => {
      if (kinds.delete(kind)) notify()
    },
    clear: () => {
      kinds.clear()
      notify()
    },
    isRaised: () => kinds.size > 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The failures that the red banner is shown for. */
export const failureStore = createFailureStore()
