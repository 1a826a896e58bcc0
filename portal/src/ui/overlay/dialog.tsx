import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'
import { rescueFocus } from '../focus.ts'

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
  const isSecondPress = useSecondPress()
  return (
    <ModalOverlay
      className={styles.overlay!}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!busy}
      isKeyboardDismissDisabled={busy}
      shouldCloseOnInteractOutside={() => !isSecondPress()}
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
const useSecondPress = (): (() => boolean) => {
  const presses = useRef(0)
  useEffect(() => {
    const press = ({ detail }: MouseEvent): void => {
      presses.current = detail
    }
    addEventListener('mousedown', press, true)
    return () => removeEventListener('mousedown', press, true)
  }, [])
  return () => presses.current > 1
}

const Body = ({ onSubmit, children }: { onSubmit: (() => void) | undefined; children: ReactNode }) => {
  useEffect(() => () => afterGivingBack(rescueFocus), [])
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
const afterGivingBack = (then: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(then))
