import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Entry {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

const MAX_ENTRIES = 1_000

/** The OpenID provider's storage, in memory: at most MAX_ENTRIES entries of all models, the oldest of which give way. */
export const memoryAdapter = (): ((name: string) => Adapter) => {
  const entries = new Map<string, Entry>()
  const read = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || entry.expiresAt > Date.now()) return entry?.payload
    entries.delete(key)
    return undefined
  }
  const findIn = (name: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const key of entries.keys()) {
      const payload = key.startsWith(`${name} `) ? read(key) : undefined
      if (payload !== undefined && matches(payload)) return payload
    }
    return undefined
  }
  return (name) => ({
    upsert: async (id, payload, expiresIn) => {
      entries.set(`${name} ${id}`, { payload, expiresAt: expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1_000 })
      for (const key of entries.keys()) if (entries.size > MAX_ENTRIES) entries.delete(key) // the oldest first
    },
    find: async (id) => read(`${name} ${id}`),
    findByUid: async (uid) => findIn(name, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findIn(name, (payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = read(`${name} ${id}`)
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000)
    },
    destroy: async (id) => void entries.delete(`${name} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  })
}
