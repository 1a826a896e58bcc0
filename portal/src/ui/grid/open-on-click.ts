import type { MouseEvent } from 'react'

/**
 * A row's click handler: focuses the row's first button and opens the row, unless somebody selects text with the mouse. Undefined without
 * `onOpen`.
 */
export const openOnClick = <Row>(row: Row, onOpen: ((row: Row) => void) | undefined) =>
  onOpen &&
  ((event: MouseEvent<HTMLElement>): void => {
    if (isSelectingText(event)) return
    event.currentTarget.querySelector('button')?.focus()
    onOpen(row)
  })

/** Is the user selecting text with the mouse? That click must not open the row. `detail` is 0 for a click by keyboard. */
const isSelectingText = ({ detail }: MouseEvent): boolean => detail > 0 && getSelection()?.isCollapsed === false
