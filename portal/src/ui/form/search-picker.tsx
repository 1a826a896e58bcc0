import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react'
import field from './field.module.css'
import { Icon } from '../icon.tsx'
import { labelsContain } from './label-search.ts'
import { pickerWindow } from './picker-window.ts'
import styles from './search-picker.module.css'
import type { SelectProps } from './select.tsx'
import hidden from '../visually-hidden.module.css'

const NONE = -1

/** One choice from a long list, found by typing any part of its name (ARIA's combobox with a list). */
export const SearchPicker = ({ label, options, value, onChange, hideLabel = false }: SelectProps) => {
  const id = useId()
  /** What has been typed since the list opened; null while it is closed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const chosenAt = options.findIndex((option) => option.id === value)
  const chosen = options[chosenAt]
  const isOpen = typed !== null
  const isTyped = isOpen && typed !== ''
  const matching = isTyped ? options.filter(labelsContain(typed)) : options
  const { shown } = pickerWindow(matching, isTyped ? NONE : chosenAt)

  const open = (text: string): void => {
    setTyped(text)
    setActive(text === '' ? pickerWindow(options, chosenAt).marked : 0)
  }
  const choose = (optionId: string | undefined): void => {
    setTyped(null)
    if (optionId !== undefined && optionId !== value) onChange(optionId)
  }
  const closeOnLeaving = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setTyped(null)
  }
  const move = (steps: number): void => {
    if (!isOpen) open('')
    else setActive(Math.min(Math.max(0, active + steps), Math.max(0, shown.length - 1)))
  }
  const press = (event: KeyboardEvent): void => {
    const act = actionOf(event.key, { isOpen, move, choose: () => choose(shown[active]?.id), close: () => setTyped(null) })
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <div className={field.field} onBlur={closeOnLeaving}>
      <label htmlFor={id} className={hideLabel ? hidden.hidden : field.label}>
        {label}
      </label>
      <div className={styles.box}>
        <input
          id={id}
          className={`${field.input} ${styles.input}`}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}list` : undefined}
          aria-activedescendant={isOpen && shown[active] ? `${id}${shown[active].id}` : undefined}
          autoComplete="off"
          spellCheck="false"
          placeholder={isOpen ? chosen?.label : undefined}
          value={typed ?? chosen?.label ?? ''}
          onChange={(event) => open(event.target.value)}
          onClick={() => !isOpen && open('')}
          onKeyDown={press}
        />
        <span className={styles.icon}>
          <Icon name="search" />
        </span>
        {isOpen && (
          <div className={styles.popup}>
            <div id={`${id}list`} className={styles.list} {...LIST} aria-label={label}>
              {shown.map((option, i) => (
                <button
                  key={option.id}
                  ref={i === active ? keepInView : undefined}
                  type="button"
                  tabIndex={-1}
                  id={`${id}${option.id}`}
                  className={`${field.option} ${styles.option}`}
                  {...(option.id === value ? CHOSEN : OPTION)}
                  data-active={i === active || undefined}
                  // The field keeps the focus, so that typing can go on.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(option.id)}
                >
                  {option.label}
                  {option.id === value && <Icon name="check" />}
                </button>
              ))}
            </div>
            <output className={field.more} hidden={shown.length > 0 && shown.length === matching.length}>
              {shown.length === 0 ? 'Nothing matches what you typed' : `${matching.length - shown.length} more: type a part of the name`}
            </output>
          </div>
        )}
      </div>
    </div>
  )
}

const keepInView = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' })

const LIST = { role: 'listbox' } as const
const OPTION = { role: 'option', 'aria-selected': false } as const
const CHOSEN = { role: 'option', 'aria-selected': true } as const

interface Keys {
  isOpen: boolean
  move: (steps: number) => void
  choose: () => void
  close: () => void
}

/** What a key does in the field; undefined for keys that only type, and for Escape and Enter while there is no list to act on. */
const actionOf = (key: string, { isOpen, move, choose, close }: Keys): (() => void) | undefined => {
  if (key === 'ArrowDown') return () => move(1)
  if (key === 'ArrowUp') return () => move(-1)
  if (!isOpen) return undefined
  if (key === 'PageDown') return () => move(8)
  if (key === 'PageUp') return () => move(-8)
  if (key === 'Enter') return choose
  return key === 'Escape' ? close : undefined
}
