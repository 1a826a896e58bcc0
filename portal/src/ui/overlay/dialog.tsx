import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'
import { restoreFocus } from '../focus.ts'

export interface DialogProps {
  title: string
  isOpen: boolean
  /** Asked for by Escape, by a press outside and by the dialog's own buttons. */
  onClose: () => void
  /** Work is under way: neither Escape nor a press outside closes the dialog. */
  busy?: boolean
  children: ReactNode
  /** The buttons, in reading order. */
  actions: ReactNode
  /** Makes the dialog a form: what its submit button, and Enter in a field, do. */
  onSubmit?: () => void
}

/** A question over the page: takes the focus, keeps it inside and gives it back to where it came from. */
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

/** Is the mouse at the second press of a double click? It falls on what the first one has opened, and must not close it again. */
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

/** The focus is given back in the frame after the dialog has gone, unless what had it, a row that a search now leaves out, has gone too. */
const afterFocusReturns = (then: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(then))
