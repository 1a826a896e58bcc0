/** Lets one holder through at a time, in the order of asking: the embedded engine has a single session for all clients. */
export interface Turnstile<Holder> {
  /** Resolves when it is this holder's turn; at once when it already is. @throws SessionBusy after the waiting time */
  enter(holder: Holder): Promise<void>
  leave(holder: Holder): void
  holds(holder: Holder): boolean
}

/** The embedded session stayed busy: most likely a query outside a transaction waits for the transaction around it. */
export class SessionBusy extends Error {
  constructor() {
    super('embedded database: session busy')
  }
}

export const turnstile = <Holder>(waitMs: number): Turnstile<Holder> => {
  let inside: Holder | null = null
  const line: { holder: Holder; go: () => void }[] = []

  return {
    holds: (holder) => inside === holder,
    enter: (holder) => {
      if (inside === holder) return Promise.resolve()
      if (inside === null) {
        inside = holder
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const entry = {
          holder,
          go: () => {
            clearTimeout(timer)
            resolve()
          },
        }
        const timer = setTimeout(() => {
          line.splice(line.indexOf(entry), 1)
          reject(new SessionBusy())
        }, waitMs)
        line.push(entry)
      })
    },
    leave: (holder) => {
      if (inside !== holder) return
      const next = line.shift()
      inside = next?.holder ?? null
      next?.go()
    },
  }
}
