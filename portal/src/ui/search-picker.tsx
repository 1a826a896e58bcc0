import { useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, useFilter } from 'react-aria-components/ComboBox'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import type { SelectProps } from './select.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** More rows than anybody reads; typing narrows them down. It keeps lists of thousands as quick as short ones. */
const SHOWN_AT_MOST = 100

/** One choice from a long list, found by typing any part of its name. */
export const SearchPicker = ({ label, options, value, onChange, hideLabel = false }: SelectProps) => {
  const chosen = options.find((option) => option.id === value)?.label ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const { contains } = useFilter({ sensitivity: 'base' })
  const matching = typed === null ? options : options.filter((option) => contains(option.label, typed))
  const hidden = matching.length - SHOWN_AT_MOST
  const shown = hidden > 0 ? matching.slice(0, SHOWN_AT_MOST) : matching

  const choose = (key: string | number | null): void => {
    setTyped(null)
    if (key !== null && key !== value) onChange(String(key))
  }

  return (
    <ComboBox
      className={styles.field!}
      items={shown}
      value={value}
      onChange={(key) => choose(key)}
      inputValue={typed ?? chosen}
      onInputChange={(text) => setTyped(text === chosen ? null : text)}
      onOpenChange={(isOpen) => !isOpen && setTyped(null)}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      {hideLabel ? (
        <VisuallyHidden>
          <Label>{label}</Label>
        </VisuallyHidden>
      ) : (
        <Label className={styles.label!}>{label}</Label>
      )}
      <div className={styles.row}>
        <Input className={`${styles.input} ${styles.picker}`} onFocus={(event) => event.currentTarget.select()} title={chosen} />
        <Button className={styles.opener!}>
          <Icon name="search" />
        </Button>
      </div>
      <Popover className={styles.popover!}>
        <ListBox className={styles.list!} renderEmptyState={() => <div className={styles.more}>Nothing matches what you typed</div>}>
          {(option: { id: string; label: string }) => (
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
        {hidden > 0 && <div className={styles.more}>{`${hidden} more: type a part of the name`}</div>}
      </Popover>
    </ComboBox>
  )
}
