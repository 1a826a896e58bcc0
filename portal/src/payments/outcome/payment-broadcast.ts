/** The name of the channel is fixed by the specification. */
const CHANNEL = 'paymentWatch'

/** Tells the other tabs of this browser that an invoice was paid. */
export const broadcastPaid = (): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('paid')
  channel.close()
}

/**
 * Calls `paid` when another tab has paid an invoice. The message is only a hint: listeners ask the server.
 * @returns a function that ends the listening
 */
export const onPaidElsewhere = (paid: () => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', paid)
  return () => channel.close()
}
