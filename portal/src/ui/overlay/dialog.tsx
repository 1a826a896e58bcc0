import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'
import { restoreFocus } from '../focus.ts'

export interface DialogProps {
  title: string
  isOpen: boolean
  /** Called by Escape and by a click outside. */
  onClose: () => void
  /** While busy, neither Escape nor a click outside closes the dialog. */
  busy?: boolean
  children: ReactNode
  /** The buttons, in reading order. */
  actions: ReactNode
  /** Makes the dialog a form: called by its submit button and by Enter in a field. */
  onSubmit?: () => void
}

/** A modal dialog, which Escape and a click outside close unless it is busy. */
export const Dialog = ({ title, isOpen, onClose, busy = false, children, actions, onSubmit }: DialogProps) => {
  const isDoubleClick = useDoubleClick()
  return (
    <ModalOverlay
      className={styles.overlay!}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!busy}
      isKeyboardDismissDisabled={busy}
      shouldCloseOnInteractOutside={() => !isDoubleClick()}
    >
      <Modal className={styles.modal!}>
        <AriaDialog className={styles.dialog!}>
          <Heading slot="title" className={styles.title!}>
            {title}
          </Heading>
          <Body onSubmit={onSubmit}>
            {children}
            <div className={styles.actions}>{actions}</div>
          </Body>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/**
 * A function that tells whether the current click is the second of a double click: the first one opened the dialog, and the second must not
 * close it.
 */
const useDoubleClick = (): (() => boolean) => {
  const clickCount = useRef(0)
  useEffect(() => {
    const countClicks = ({ detail }: MouseEvent): void => {
      clickCount.current = detail
    }
    addEventListener('mousedown', countClicks, true)
    return () => removeEventListener('mousedown', countClicks, true)
  }, [])
  return () => clickCount.current > 1
}

/** The dialog's content; a form where there is `onSubmit`. Brings the focus back to the page after closing. */
const Body = ({ onSubmit, children }: { onSubmit: (() => void) | undefined; children: ReactNode }) => {
  useEffect(() => () => afterFocusReturns(restoreFocus), [])
  if (onSubmit === undefined) return children
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
    </form>
  )
}

/** Calls `then` two frames later, when React Aria has given the focus back, or could not, because the element that had it is gone too. */
const afterFocusReturns = (then: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(then))
