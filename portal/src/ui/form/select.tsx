import { Header } from 'react-aria-components/Header'
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components/Select'
import styles from './field.module.css'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'

export interface Option {
  id: string
  label: string
  /** A heading under which this option stands in a Select's list, with its neighbours of the same heading. */
  group?: string
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
      <ListBox className={styles.list!}>
        {groupsOf(options).map(({ group, options }) =>
          group === undefined ? (
            options.map((option) => <OptionItem key={option.id} {...option} />)
          ) : (
            <ListBoxSection key={group} id={`group ${group}`}>
              <Header className={styles.group!}>{group}</Header>
              {options.map((option) => (
                <OptionItem key={option.id} {...option} />
              ))}
            </ListBoxSection>
          ),
        )}
      </ListBox>
    </Popover>
  </AriaSelect>
)

/** An option of the list, with a tick when it is selected. */
const OptionItem = ({ id, label }: Option) => (
  <ListBoxItem id={id} textValue={label} className={styles.option!}>
    {({ isSelected }) => (
      <>
        {label}
        {isSelected && <Icon name="check" />}
      </>
    )}
  </ListBoxItem>
)

/** The options in their order, cut where the heading changes. */
const groupsOf = (options: readonly Option[]): readonly { group: string | undefined; options: Option[] }[] => {
  const groups: { group: string | undefined; options: Option[] }[] = []
  for (const option of options) {
    const last = groups.at(-1)
    if (last !== undefined && last.group === option.group) last.options.push(option)
    else groups.push({ group: option.group, options: [option] })
  }
  return groups
}
