import { mintChargePermit, openSendWindow } from '../../src/payments/providers/charge-permit.ts'
import type { KnownMethod, NewCard } from '../../src/payments/providers/method.ts'
import type { ChargeAnswer, NotPrepared, PreparedCharge } from '../../src/payments/providers/prepared-charge.ts'
import type { ProviderContext } from '../../src/payments/providers/account.ts'
import type { ChargeOrder } from '../../src/payments/providers/order.ts'
import type { ProviderOf } from '../../src/payments/providers/provider.ts'

/** A permit as the engine grants it, valid for a minute unless it is said to be over. */
export const testPermit = (isOver = false) => mintChargePermit(openSendWindow(() => new Date(), isOver ? 0 : 60_000))

type Charging<Settings> = Pick<ProviderOf<Settings>, 'prepareStoredMethodCharge' | 'prepareNewCardCharge'>

const submit = async (prepared: PreparedCharge | NotPrepared): Promise<ChargeAnswer> =>
  'state' in prepared ? prepared : prepared.submit(testPermit())

/** Charges a stored method in both steps, past the engine. */
export const chargeStored = async <Settings>(
  provider: Charging<Settings>,
  context: ProviderContext<Settings>,
  order: ChargeOrder,
  method: KnownMethod,
): Promise<ChargeAnswer> => submit(await provider.prepareStoredMethodCharge(context, order, method))

/** The same for a card that is not stored. */
export const chargeNew = async <Settings>(
  provider: Charging<Settings>,
  context: ProviderContext<Settings>,
  order: ChargeOrder,
  card: NewCard,
): Promise<ChargeAnswer> => {
  if (provider.prepareNewCardCharge === undefined) throw new Error('the provider takes no new cards')
  return submit(await provider.prepareNewCardCharge(context, order, card))
}

/**
 * A prepared charge.
 * @throws Error when it was refused
 */
export const requirePrepared = (prepared: PreparedCharge | NotPrepared | undefined): PreparedCharge => {
  if (prepared === undefined || 'state' in prepared) throw new Error(`it was not prepared: ${JSON.stringify(prepared)}`)
  return prepared
}
