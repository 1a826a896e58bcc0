import type pg from 'pg'

/** A client of the pool that several use at once, and how many do. */
interface Lease {
  readonly client: Promise<pg.PoolClient>
  users: number
}

/**
 * One client of a pool for all who need it for one message each. The server answers them in turn on a connection that is warm; on a
 * connection each they would wait for the same few rows, and for the processor. For clients that take several questions at once.
 * @returns runs the work on the shared client. When it fails, whoever comes next gets another client.
 */
export const sharedClient = (pool: pg.Pool): (<T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>) => {
  let current: Lease | null = null
  return async (work) => {
    const lease = (current ??= { client: pool.connect(), users: 0 })
    lease.users += 1
    try {
      return await work(await lease.client)
    } catch (error) {
      if (current === lease) current = null
      throw error
    } finally {
      lease.users -= 1
      if (lease.users === 0) {
        if (current === lease) current = null
        await lease.client.then(
          (client) => client.release(),
          () => undefined, // it never was one; whoever waited for it was told
        )
      }
    }
  }
}
