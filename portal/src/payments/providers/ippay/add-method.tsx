import { useCallback, useState } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { RadioGroup } from '../../../ui/form/radio-group.tsx'
import type { AddViewProps } from '../panel.ts'
import styles from './frame/frame.module.css'
import { type FrameEnd, ProviderFrame } from './frame/provider-frame.tsx'
import { type EntryType, fetchTemplate } from './methods.data.ts'

const TYPES = [
  { id: 'CC', label: 'Credit Card' },
  { id: 'ACH', label: 'ACH' },
] as const

/** Adds a card or a bank account in IPpay's own page in a frame, in place of the list (PM-40). */
export const AddMethod = ({ onClose }: AddViewProps) => {
  const [type, setType] = useState<EntryType>('CC')
  const loadTemplate = useCallback((signal: AbortSignal) => fetchTemplate(type, signal), [type])
  return (
    <div className={styles.add}>
      <div>
        <Button kind="quiet" onPress={onClose}>
          Cards List
        </Button>
      </div>
      <RadioGroup
        label="What do you want to add?"
        options={TYPES}
        value={type}
        onChange={(id) => {
          if (id === 'CC' || id === 'ACH') setType(id)
        }}
      />
      <ProviderFrame key={type} loadTemplate={loadTemplate} onEnd={reloadPage} />
    </div>
  )
}

/**
 * Reloads the page after an accepted entry, so that what was stored is read; the promise then never resolves. False after any other end.
 */
const reloadPage = async (end: FrameEnd): Promise<boolean> => {
  if (end !== 'accepted') return false
  location.reload()
  // Nothing else is loaded meanwhile.
  return new Promise(() => undefined)
}
