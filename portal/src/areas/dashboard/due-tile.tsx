import type { Invoice } from '@counterfoil/contract/invoices'
import { useMemo } from 'react'
import { useAccount } from '../../shell/account/account.tsx'
import { invoiceLabels, invoiceNouns } from '../../shell/account/invoice-labels.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './dashboard.module.css'
import { DueButtons } from './due-buttons.tsx'
import { adjustmentsText, amountsText, dueText, latestText, limitText, payAllText } from './due-texts.ts'
import { type Amount, type Due, type Dues, duesOf } from './dues.ts'
import { type LoadState, TilePlaceholder } from './tile-placeholder.tsx'

const TITLE = 'Total due'
/** In pixels: what the tile needs with one amount and its buttons, so that nothing moves when it arrives. */
const MIN_HEIGHT = 224

/**
 * The amount due in each currency, how long the oldest invoice has been due, the buttons to pay, how many invoices there are, and the
 * amounts that are overdue. Features DASH-04, EASE-01.
 */
export const DueTile = ({ invoices, loadState }: { invoices: readonly Invoice[] | undefined; loadState: LoadState }) => {
  const { settings } = useAccount()
  const dues = useMemo(() => invoices && duesOf(invoices, settings.payments.enabled), [invoices, settings])
  const overdueCount = dues?.overdueCount ?? 0
  return (
    <Tile
      title={TITLE}
      minHeight={loadState.isBusy ? MIN_HEIGHT : 0}
      grow
      aside={overdueCount > 0 && <Tag tone="bad">{formatNumber(overdueCount)} overdue</Tag>}
    >
      {dues ? <DueContent dues={dues} latest={invoices?.[0]} /> : <TilePlaceholder subject={TITLE} loadState={loadState} />}
    </Tile>
  )
}

/** What the loaded tile shows: amounts due by currency or that nothing is due, amounts that are not due yet, credit, buttons and counts. */
const DueContent = ({ dues, latest }: { dues: Dues; latest: Invoice | undefined }) => {
  const { settings } = useAccount()
  const nouns = invoiceNouns(settings)
  return (
    <>
      {dues.due.map((due) => (
        <div key={due.symbol} className={styles.group}>
          <p className={styles.figure}>{formatMoney(due.amount, due.symbol)}</p>
          <p className={styles.muted}>{dueText(due, nouns)}</p>
          {limitText(due, nouns) !== '' && <p className={styles.muted}>{limitText(due, nouns)}</p>}
        </div>
      ))}
      {dues.due.length === 0 && (
        <>
          <p className={styles.amount}>Nothing is due</p>
          {latest && <p className={styles.muted}>{latestText(latest, nouns)}</p>}
        </>
      )}
      <NotDueText amounts={dues.inCollection} what="on its way by bank debit" />
      <NotDueText amounts={dues.beingPaid} what="being paid" />
      {dues.credit.length > 0 && <p className={styles.credit}>Credit {amountsText(dues.credit)}</p>}
      <AdjustmentTexts due={dues.due} />
      <DueButtons due={dues.due} nouns={nouns} />
      {dues.invoiceCount > 0 && <Summary dues={dues} />}
    </>
  )
}

/** What is added when all invoices of a currency are paid at once, such as a late payment fee. */
const AdjustmentTexts = ({ due }: { due: readonly Due[] }) => {
  const { adjustments } = useAccount().settings.payments
  const texts = due
    .filter(({ payableIds }) => payableIds.length > 0)
    .map((group) => adjustmentsText(group, adjustments, payAllText(group, due.length)))
  return texts.map(
    (text) =>
      text !== '' && (
        <p key={text} className={styles.muted}>
          {text}
        </p>
      ),
  )
}

/** Amounts that are owed but not due: "A$91.74 on its way by bank debit". */
const NotDueText = ({ amounts, what }: { amounts: readonly Amount[]; what: string }) =>
  amounts.length > 0 && (
    <p className={styles.muted}>
      {amountsText(amounts)} {what}
    </p>
  )

/** The number of all invoices, and the amounts that are overdue. */
const Summary = ({ dues }: { dues: Dues }) => {
  const { plural } = invoiceLabels(useAccount().settings)
  return (
    <dl className={styles.summary}>
      <div>
        <dt>{plural}</dt>
        <dd>{formatNumber(dues.invoiceCount)}</dd>
      </div>
      <div>
        <dt>Overdue</dt>
        <dd data-tone={dues.overdueCount > 0 ? 'bad' : undefined}>{dues.overdueCount > 0 ? amountsText(dues.overdue) : 'None'}</dd>
      </div>
    </dl>
  )
}
