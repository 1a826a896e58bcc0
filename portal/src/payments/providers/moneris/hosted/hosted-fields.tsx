import { type RefObject, useEffect, useState } from 'react'
import styles from './hosted-fields.module.css'
import { withPageStyle } from './frame-style.ts'

interface HostedFieldsProps {
  readonly frameUrl: string
  readonly frame: RefObject<HTMLIFrameElement | null>
  readonly onLoad: () => void
  /** The user goes into the fields: the form then clears the error of the last attempt. */
  readonly onFocus: () => void
}

/** Number, expiry and code of a card in Moneris' frame. Its fields tell nothing while they are typed. */
export const HostedFields = ({ frameUrl, frame, onLoad, onFocus }: HostedFieldsProps) => {
  // Another address would load the frame anew and lose what was typed.
  const [src] = useState(() => withPageStyle(frameUrl))
  useEffect(() => {
    const handleBlur = (): void => {
      if (frame.current !== null && document.activeElement === frame.current) onFocus()
    }
    addEventListener('blur', handleBlur)
    return () => removeEventListener('blur', handleBlur)
  }, [frame, onFocus])
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      src={src}
      title="Card details"
      // The document is of another origin, which it needs to keep; it may not lead this page elsewhere.
      sandbox="allow-scripts allow-same-origin allow-forms" // oxlint-disable-line iframe-missing-sandbox
      onLoad={onLoad}
    />
  )
}
