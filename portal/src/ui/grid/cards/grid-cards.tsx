import { useRef, useState } from 'react'
import { TABLE_ROLES } from '../../aria-roles.ts'
import { Button } from '../../button/button.tsx'
import { cardPlan } from './card-plan.ts'
import styles from './grid-card.module.css'
import { GridCard } from './grid-card.tsx'
import type { GridFrameProps } from '../grid-props.ts'
import { SumsCard } from './sums-card.tsx'

/** How many cards are drawn at once: a page of the server has more than a phone should lay out. */
const CARDS_AT_ONCE = 25

/** The rows as cards of two lines, with what does not fit there behind a press, and the sums as the last card. */
export const GridCards = <Row,>(props: GridFrameProps<Row>) => {
  const { label, columns, rows, rowKey, selection, sums, onOpen, details } = props
  const [drawnCount, setDrawnCount] = useState(CARDS_AT_ONCE)
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const bodyRef = useRef<HTMLTableSectionElement>(null)
  const plan = cardPlan(columns)
  const missing = rows.length - drawnCount

  const toggle = (id: string): void => {
    const next = new Set(openIds)
    if (!next.delete(id)) next.add(id)
    setOpenIds(next)
  }
  const drawMore = (): void => {
    // The button may go away, so the focus goes on to the last card that was drawn before.
    bodyRef.current?.lastElementChild?.querySelector<HTMLElement>('button, a, input')?.focus({ preventScroll: true })
    setDrawnCount(drawnCount + CARDS_AT_ONCE)
  }

  return (
    <>
      <table className={styles.cards} {...TABLE_ROLES.table} aria-label={label}>
        <tbody {...TABLE_ROLES.group} ref={bodyRef} className={styles.body}>
          {rows.slice(0, drawnCount).map((row) => (
            <GridCard
              key={rowKey(row)}
              row={row}
              id={rowKey(row)}
              plan={plan}
              selection={selection}
              onOpen={onOpen}
              isOpen={openIds.has(rowKey(row))}
              onToggle={toggle}
              details={details?.isOpen(row) ? details.render(row) : null}
            />
          ))}
        </tbody>
        {sums && <SumsCard columns={columns} sums={sums} plan={plan} />}
      </table>
      {missing > 0 && (
        <div className={styles.more}>
          <Button kind="quiet" wide onPress={drawMore}>
            Show {Math.min(missing, CARDS_AT_ONCE)} more
          </Button>
        </div>
      )}
    </>
  )
}
