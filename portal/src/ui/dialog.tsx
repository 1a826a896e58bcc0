import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'

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
}

/** A question over the page: takes the focus, keeps it inside and gives it back to where it came from. */
export const Dialog = ({ title, isOpen, onClose, busy = false, children, actions }: DialogProps) => (
  <ModalOverlay
    className={styles.overlay!}
    isOpen={isOpen}
    onOpenChange={(open) => !open && onClose()}
    isDismissable={!busy}
    isKeyboardDismissDisabled={busy}
  >
    <Modal className={styles.modal!}>
      <AriaDialog className={styles.dialog!}>
        <Heading slot="title" className={styles.title!}>
          {title}
        </Heading>
        {children}
        <div className={styles.actions}>{actions}</div>
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
