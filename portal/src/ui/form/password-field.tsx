import { useState } from 'react'
import styles from './field.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'

const MAX_LENGTH = 4_096

/** A password with a Show/Hide button at its end. */
export const PasswordField = (props: Omit<TextFieldProps, 'type' | 'end'>) => {
  const [isVisible, setIsVisible] = useState(false)
  const text = isVisible ? 'Hide' : 'Show'
  return (
    <TextField
      maxLength={MAX_LENGTH}
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isVisible ? 'text' : 'password'}
      end={
        <button type="button" className={styles.toggle} aria-label={`${text} ${props.label}`} onClick={() => setIsVisible(!isVisible)}>
          {text}
        </button>
      }
    />
  )
}
