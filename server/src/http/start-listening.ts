import type { FastifyInstance } from 'fastify'
import { OperatorError } from '../kit/api-error.ts'

/** Where to listen, and the setting that chooses the port. */
interface Place {
  readonly host: string
  readonly port: number
  readonly setting: 'PORT' | 'METRICS_PORT'
}

/**
 * Starts listening.
 * @returns the address
 * @throws OperatorError when the port is taken or not allowed, or the machine has no such address
 */
export const startListening = async (app: FastifyInstance, { host, port, setting }: Place): Promise<string> => {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE')
      throw new OperatorError(`Port ${port} is taken by another program. Stop it, or choose another with ${setting}.`, { cause: error })
    if (code === 'EACCES')
      throw new OperatorError(`This user may not listen on port ${port}. Choose one above 1023 with ${setting}.`, { cause: error })
    if (code === 'EADDRNOTAVAIL')
      throw new OperatorError(`This machine has no address ${host}. Choose another with HOST.`, { cause: error })
    throw error
  }
}
