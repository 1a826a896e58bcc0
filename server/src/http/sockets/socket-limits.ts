import { BlockList, isIP, type Socket } from 'node:net'
import { addressGroupOf } from '../../rate-limits/client-address.ts'

const MAX_SOCKETS = 1_000
const MAX_SOCKETS_PER_ADDRESS = 200

/**
 * Bounds the sockets of the server and of each address. At a bound a new socket takes the place of one of its address, or of the address
 * with the most: the oldest that is idle or still sends, else the one whose answer is read most slowly, is destroyed. So who opens sockets
 * and sends or reads slowly keeps nobody out. A trusted proxy has as many as it wants: it carries everybody's requests.
 * @param rateOf how many bytes a second a client moves while the server waits for it; null while the server works on its request
 * @returns a function that notes a new socket: true when it has a place, false when the caller must close it
 */
export const limitSockets = (
  trustedProxies: readonly string[],
  rateOf: (socket: Socket) => number | null,
): ((socket: Socket) => boolean) => {
  const proxies = toBlockList(trustedProxies)
  const open = new Map<string, Set<Socket>>()
  let openInAll = 0

  const leave = (key: string, socket: Socket): void => {
    const ofAddress = open.get(key)
    if (ofAddress?.delete(socket) !== true) return
    openInAll -= 1
    if (ofAddress.size === 0) open.delete(key)
  }

  const closeSlowest = (key: string): boolean => {
    const idle = [...(open.get(key) ?? [])].flatMap((socket) => {
      const rate = rateOf(socket)
      return rate === null ? [] : [{ socket, rate }]
    })
    if (idle.length === 0) return false
    const { socket } = idle.reduce((a, b) => (b.rate < a.rate ? b : a))
    leave(key, socket)
    socket.destroy()
    return true
  }

  /** Frees a place at the address with the most sockets, if it has more than the new one's. */
  const makePlaceFor = (key: string): boolean => {
    const [largest, sockets] = [...open].reduce((a, b) => (b[1].size > a[1].size ? b : a))
    return sockets.size > (open.get(key)?.size ?? 0) && closeSlowest(largest)
  }

  return (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(proxies, address)) return true
    const key = addressGroupOf(address)
    if ((open.get(key)?.size ?? 0) >= MAX_SOCKETS_PER_ADDRESS && !closeSlowest(key)) return false
    if (openInAll >= MAX_SOCKETS && !makePlaceFor(key)) return false
    open.set(key, (open.get(key) ?? new Set()).add(socket))
    openInAll += 1
    socket.once('close', () => leave(key, socket))
    return true
  }
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The addresses and networks (CIDR) as Node's list, in which addresses can be looked up. */
const toBlockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(prefix), family(address))
  }
  return list
}

/** Whether an address is a trusted proxy's; an IPv4 address written as IPv6 counts as IPv4. */
const isProxy = (proxies: BlockList, address: string): boolean => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  return isIP(plain) !== 0 && proxies.check(plain, family(plain))
}
