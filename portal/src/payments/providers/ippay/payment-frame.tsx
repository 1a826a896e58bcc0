import { useCallback } from 'react'
import { failedText } from '../../outcome/payment-error.ts'
import type { PaymentFrameProps } from '../panel.ts'
import { ProviderFrame } from './frame/provider-frame.tsx'
import { fetchBulkTemplate, fetchPayTemplate } from './methods.data.ts'

/** The text of a failed entry as a sentence, and after it that nothing was charged and that another card may be tried. */
const notChargedWarning = (text: string): string => failedText(/[.…]$/.test(text) ? text : `${text}.`, 'Try another card.')

/** IPpay's own page in a frame, in which the card that pays is entered and the button to pay stands. */
export const PaymentFrame = ({ target, shownTotal, onDone, ...frame }: PaymentFrameProps) => {
  const [isLink, key] = 'payToken' in target ? [true, target.payToken] : [false, target.sessionId]
  const loadTemplate = useCallback(
    (signal: AbortSignal) => (isLink ? fetchPayTemplate : fetchBulkTemplate)(key, String(shownTotal), signal),
    [isLink, key, shownTotal],
  )
  return <ProviderFrame {...frame} loadTemplate={loadTemplate} onEnd={onDone} toWarning={notChargedWarning} />
}
