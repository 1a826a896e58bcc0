import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { addressGroupOf } from '../../rate-limits/client-address.ts'

/** How long a client may take to send the headers of a request. */
export const HEADERS_TIMEOUT_MS = 10_000
/** After so long without a byte either way a client is taken for gone: a download that it no longer reads would keep its query for ever. */
export const STALLED_TIMEOUT_MS = 120_000
const MAX_SOCKETS = 1_000
const MAX_SOCKETS_PER_ADDRESS = 200

/** Bounds the sockets of the server and of each address. A trusted proxy has as many as it wants: it carries everybody's requests. */
export const limitSockets = ({ server }: FastifyInstance, trustedProxies: readonly string[]): void => {
  const proxies = toBlockList(trustedProxies)
  const open = new Map<string, number>()
  let openInAll = 0
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(proxies, address)) return
    const key = addressGroupOf(address)
    const ofAddress = open.get(key) ?? 0
    if (openInAll >= MAX_SOCKETS || ofAddress >= MAX_SOCKETS_PER_ADDRESS) {
      socket.destroy()
      return
    }
    openInAll += 1
    open.set(key, ofAddress + 1)
    socket.once('close', () => {
      openInAll -= 1
      const left = (open.get(key) ?? 1) - 1
      if (left === 0) open.delete(key)
      else open.set(key, left)
    })
  })
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const toBlockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(prefix), family(address))
  }
  return list
}

const isProxy = (proxies: BlockList, address: string): boolean => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  return isIP(plain) !== 0 && proxies.check(plain, family(plain))
}
