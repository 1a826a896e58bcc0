import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { DueNote } from '../../payments/checkout/due-note.tsx'
import { PaymentLines } from '../../payments/checkout/payment-lines.tsx'
import { feeFor, splitLines } from '../../payments/checkout/fee-lines.ts'
import type { MethodKind } from '../../payments/providers/panel.ts'
import { payPath } from '../../shell/navigation/paths.ts'
import { Tile } from '../../ui/layout/tile.tsx'

const DEFAULT_SYMBOL = '$'

interface PaySummaryProps {
  readonly intent: PaymentIntent
  /** The kind of the selected method; null while none is selected. */
  readonly kind: MethodKind | null
  /** Whether each invoice leads to the page that pays it alone. */
  readonly linksInvoices: boolean
}

/** The invoices, the adjustments, the fee with its rule and the total (BP-01). */
export const PaySummary = ({ intent, kind, linksInvoices }: PaySummaryProps) => {
  const fee = feeFor(intent, kind)
  return (
    <Tile title="Payment summary">
      <PaymentLines
        invoices={splitLines(intent).invoices.map((line) => ({
          ...line,
          ...(line.dateDue !== undefined && { note: <DueNote day={line.dateDue} isOverdue={line.isOverdue === true} /> }),
          ...(linksInvoices && line.payToken && { href: payPath(line.payToken) }),
        }))}
        adjustmentsTotal={intent.adjustmentsTotal}
        adjustments={intent.adjustments}
        fee={fee}
        total={fee?.total ?? intent.total}
        currencySymbol={symbolOf(intent)}
      />
    </Tile>
  )
}

/** The symbol of an intent's amounts; `DEFAULT_SYMBOL` where it has none. */
export const symbolOf = ({ currencySymbol }: PaymentIntent): string => currencySymbol.symbol || DEFAULT_SYMBOL
