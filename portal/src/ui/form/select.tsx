import { Button, Label, ListBox, ListBoxItem, Popover, Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import styles from './field.module.css'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'

export interface Option {
  id: string
  label: string
}

export interface SelectProps {
  label: string
  options: readonly Option[]
  value: string
  onChange: (id: string) => void
  /** Shows the label to screen readers only. */
  hideLabel?: boolean
  /** The options are still on their way. */
  isDisabled?: boolean
}

/** A select for a short list; use ComboBox for a long one. */
export const Select = ({ label, options, value, onChange, hideLabel = false, isDisabled = false }: SelectProps) => (
  <AriaSelect className={styles.field!} isDisabled={isDisabled} value={value} onChange={(key) => key !== null && onChange(String(key))}>
    {hideLabel ? (
      <VisuallyHidden>
        <Label>{label}</Label>
      </VisuallyHidden>
    ) : (
      <Label className={styles.label!}>{label}</Label>
    )}
    <Button className={styles.choice!}>
      <SelectValue className={styles.chosen!}>{({ selectedText }) => selectedText}</SelectValue>
      <Icon name="down" />
    </Button>
    <Popover className={styles.popover!}>
      <ListBox className={styles.list!} items={options.map((option) => ({ ...option, value: option.id }))}>
        {(option) => (
          <ListBoxItem id={option.id} textValue={option.label} className={styles.option!}>
            {({ isSelected }) => (
              <>
                {option.label}
                {isSelected && <Icon name="check" />}
              </>
            )}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaSelect>
)
