import { sendRequest } from '../../support/http-client.ts'
import { paymentLinkOf, type PaymentsFixture } from '../payments-fixture.ts'
import type { LinkPage } from '../providers/provider-driver.ts'

/** The page of an invoice's payment link. */
export const linkPageOf = async (
  { app, context, sandbox }: PaymentsFixture,
  { resellerId }: { readonly resellerId: number },
  invoice: number,
): Promise<LinkPage> => {
  const { token } = await paymentLinkOf(context, invoice)
  return {
    sandbox,
    resellerId,
    startFields: async () => (await sendRequest(app, { method: 'POST', url: `/v1/ec/pay/${token}/card-fields` })).json().fields,
    loadTemplate: async () => (await sendRequest(app, { url: `/v1/ec/pay/${token}/template` })).body,
  }
}
