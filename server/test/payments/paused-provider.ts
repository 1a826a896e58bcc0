import type { PaymentProvider } from '../../src/payments/providers/provider.ts'

/** Where a server stands still between the claim of a charge and the call that moves money. */
export const PAUSE_STEPS = ['before it is prepared', 'before the fence', 'after the fence'] as const
export type PauseStep = (typeof PAUSE_STEPS)[number] | 'after a look-up'

/** A provider whose next charge or look-up runs some work at a step of it. */
export class PausedProvider {
  #pause: { readonly step: PauseStep; readonly work: () => Promise<unknown> } | null = null
  readonly provider: PaymentProvider

  constructor(original: PaymentProvider) {
    const pausing =
      <Input extends unknown[]>(prepare: (...given: Input) => ReturnType<PaymentProvider['prepareStoredMethodCharge']>) =>
      async (...given: Input): ReturnType<PaymentProvider['prepareStoredMethodCharge']> => {
        await this.#reach('before it is prepared')
        const prepared = await prepare(...given)
        await this.#reach('before the fence')
        if ('state' in prepared) return prepared
        return {
          ...prepared,
          submit: async (permit) => {
            await this.#reach('after the fence')
            return prepared.submit(permit)
          },
        }
      }
    const { prepareNewCardCharge } = original
    this.provider = {
      ...original,
      prepareStoredMethodCharge: pausing((...given) => original.prepareStoredMethodCharge(...given)),
      ...(prepareNewCardCharge === undefined
        ? {}
        : { prepareNewCardCharge: pausing((...given) => prepareNewCardCharge.apply(original, given)) }),
      lookUp: async (...given) => {
        const result = await original.lookUp(...given)
        await this.#reach('after a look-up')
        return result
      },
    }
  }

  pauseAt(step: PauseStep, work: () => Promise<unknown>): void {
    this.#pause = { step, work }
  }

  async #reach(step: PauseStep): Promise<void> {
    if (this.#pause?.step !== step) return
    const { work } = this.#pause
    this.#pause = null
    await work()
  }
}
