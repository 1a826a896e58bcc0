import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Kept {
  readonly payload: AdapterPayload
  readonly endsAt: number
}

const MOST = 1_000

/** Where an OpenID provider keeps what is under way: in this process alone, until it ends. */
export const providerMemory = (): ((name: string) => Adapter) => {
  const kept = new Map<string, Kept>()
  const read = (key: string): AdapterPayload | undefined => {
    const found = kept.get(key)
    if (found === undefined || found.endsAt > Date.now()) return found?.payload
    kept.delete(key)
    return undefined
  }
  const findIn = (name: string, fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const key of kept.keys()) {
      const payload = key.startsWith(`${name} `) ? read(key) : undefined
      if (payload !== undefined && fits(payload)) return payload
    }
    return undefined
  }
  return (name) => ({
    upsert: async (id, payload, expiresIn) => {
      kept.set(`${name} ${id}`, { payload, endsAt: expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1_000 })
      for (const key of kept.keys()) if (kept.size > MOST) kept.delete(key) // the oldest first
    },
    find: async (id) => read(`${name} ${id}`),
    findByUid: async (uid) => findIn(name, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findIn(name, (payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = read(`${name} ${id}`)
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000)
    },
    destroy: async (id) => void kept.delete(`${name} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
    },
  })
}
