/** Grants the embedded engine's only session to one holder at a time, first come, first served. */
export interface SessionLock<Holder> {
  /** Resolves when the holder has the session; at once when it has it already. @throws SessionBusy after the waiting time */
  acquire(holder: Holder): Promise<void>
  release(holder: Holder): void
  isHeldBy(holder: Holder): boolean
}

/** The embedded session stayed busy: most likely a query outside a transaction waits for the transaction around it. */
export class SessionBusy extends Error {
  constructor() {
    super('embedded database: session busy')
  }
}

/** Creates the lock, free at first. It lives in this process alone. */
export const sessionLock = <Holder>(waitMs: number): SessionLock<Holder> => {
  let current: Holder | null = null
  const queue: { holder: Holder; proceed: () => void }[] = []

  return {
    isHeldBy: (holder) => current === holder,
    acquire: (holder) => {
      if (current === holder) return Promise.resolve()
      if (current === null) {
        current = holder
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const entry = {
          holder,
          proceed: () => {
            clearTimeout(timer)
            resolve()
          },
        }
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(entry), 1)
          reject(new SessionBusy())
        }, waitMs)
        queue.push(entry)
      })
    },
    release: (holder) => {
      if (current !== holder) return
      const next = queue.shift()
      current = next?.holder ?? null
      next?.proceed()
    },
  }
}
