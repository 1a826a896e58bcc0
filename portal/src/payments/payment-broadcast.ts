/** The name that the specification gives the broadcast (payments.md §4). */
const CHANNEL = 'paymentWatch'

/** Tells every other tab of this browser that something was paid: what they show of it is old. */
export const broadcastPaid = (): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('paid')
  channel.close()
}

/** Calls `paid` when another tab has paid something. The message is only a hint: who hears it asks the server. */
export const onPaidElsewhere = (paid: () => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', paid)
  return () => channel.close()
}
