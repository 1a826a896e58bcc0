import { type ComponentProps, useState } from 'react'
import { DoorField } from './text-field.tsx'
import styles from './public.module.css'

type Chosen = 'label' | 'name' | 'autoComplete' | 'value' | 'onChange' | 'hint' | 'error'

/** A password field with its Show/Hide toggle. */
export const DoorPassword = (props: Pick<ComponentProps<typeof DoorField>, Chosen>) => {
  const [shown, setShown] = useState(false)
  const toggle = (
    <button type="button" className={styles.toggle} title={shown ? 'Hide password' : 'Show password'} onClick={() => setShown(!shown)}>
      {shown ? 'Hide' : 'Show'}
    </button>
  )
  return <DoorField {...props} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} maxLength={4096} end={toggle} />
}
