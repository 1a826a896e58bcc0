import { type ComponentProps, useState } from 'react'
import { DoorField } from './text-field.tsx'
import styles from './public.module.css'

type Chosen = 'label' | 'name' | 'autoComplete' | 'value' | 'onChange' | 'hint' | 'error'

/** A password field with its Show/Hide toggle. */
export const DoorPassword = (props: Pick<ComponentProps<typeof DoorField>, Chosen>) => {
  const [isVisible, setIsVisible] = useState(false)
  const toggle = (
    <button
      type="button"
      className={styles.toggle}
      title={isVisible ? 'Hide password' : 'Show password'}
      onClick={() => setIsVisible(!isVisible)}
    >
      {isVisible ? 'Hide' : 'Show'}
    </button>
  )
  return (
    <DoorField {...props} type={isVisible ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} maxLength={4096} end={toggle} />
  )
}
